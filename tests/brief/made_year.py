"""A made year of notes in English and Chinese, with conversations, promises, contradictions; the same every time."""

from datetime import date, timedelta

from memhub import Memory
from memhub.model.result import NewNote
from memhub.model.thread import Message, ThreadInfo

TODAY = date(2026, 2, 10)

_EVERYDAY = (
    ("The sourdough needs 78 % water and a night in the fridge #kitchen", 300),
    ("Read Lampedusa, The Leopard; the ball is sixty pages of one evening #reading", 288),
    ("屋顶的排水沟每年十月清理一次 #home", 280),
    ("Router password is on the back of the blue folder", 271),
    ("在京都南禅寺旁边吃到很好的汤豆腐 #travel", 266),
    ("Compost: two parts brown to one part green", 250),
    ("Harbour office in Naxos: berth 14 takes boats up to 12 m #boat", 245),
    ("SQLite keeps one writer at a time; readers never wait in WAL mode #sqlite", 231),
    ("跑步机的皮带要涂硅油，不要用 WD-40", 220),
    ("Anna prefers window seats and hates early flights", 214),
    ("Engine oil of the boat: 15W-40, 4.5 litres, filter W 712 #boat", 190),
    ("读完《夜航西飞》，柏瑞尔写非洲的夜晚写得真好 #reading", 185),
    ("Tomatoes planted on the south wall", 170),
    ("FTS5 contentless tables cannot update a part of a row #sqlite", 160),
    ("孩子的校服尺码是 140", 150),
    ("Anodes of the boat last about a year in warm water #boat", 141),
    ("Bought the grey jacket at the market in Graz", 130),
    ("A page of 8192 bytes made vector rows 12 % smaller #sqlite", 120),
    ("牙医建议每半年洗一次牙", 110),
    ("The attic ladder creaks because of the third hinge #home", 101),
    ("Mooring lines: 16 mm polyester, two springs, four in all #boat", 92),
    ("Wine of the year: a Blaufränkisch from Eisenberg", 75),
    ("妈妈喜欢的茶是凤凰单丛，水温九十五度", 64),
    ("Ferry timetable changes on the last Sunday of March #travel", 50),
    ("Sorting by bm25 alone prefers short documents #sqlite", 41),
    ("冰箱门的密封条型号是 B22-4", 33),
)

_LAST_DAYS = (
    ("The mooring permit of the boat needs a new survey; Kostas does them in Naxos #boat", 0, {}),
    ("船的保险公司问检验报告什么时候到 #boat", 1, {}),
    ("Survey of the boat: hull and rigging, about 400 EUR #boat", 2, {"importance": 0.6}),
    ("Vacuum into a second file halves the size of the index #sqlite", 0, {}),
    ("检索慢的原因是每次都重新打开索引文件", 1, {}),
    ("索引文件打开一次就够了，检索快了三倍", 0, {}),
    ("Lunch with *Tom* at `Steirereck` was [far] too long", 2, {}),
)

_DATED = (
    ("Send the survey report to the insurer by Friday", 0),
    ("Dentist tomorrow 9am", 0),
    ("下周三之前交季度报告", 1),
    ("明天下午三点和王伟开会", 0),
    ("Renew the passport before 20 February 2026", 210),
    ("3月1日妈妈生日，订花", 120),
    ("I must call the bank by 5 February", 9),
    ("Met Anna on Friday about the roof", 3),
    ("Are we going to Graz on Saturday?", 1),
    ("- [x] pay the rent by Thursday\n- [ ] book the ferry by 12 February", 4),
)


def notes() -> list[NewNote]:
    """Every note of the year, oldest first."""
    found = [_note(text, days, {}) for text, days in _EVERYDAY]
    found += [_note(text, days, more) for text, days, more in _LAST_DAYS]
    found += [_note(text, days, {}) for text, days in _DATED]
    found.append(_note("A year ago: signed for the boat in Piraeus, a 9 m sloop called Λευκάδα #boat", 365, {}))
    found.append(_note("Rule: never sail after dark without the second light", 200, {"importance": 0.9}))
    return sorted(found, key=lambda note: note.created_at or "")


def _note(text: str, days: int, more: dict[str, float]) -> NewNote:
    when = TODAY - timedelta(days=days)
    return NewNote(text, created_at=f"{when.isoformat()}T0{8 - days % 3}:15:00Z", **more)  # type: ignore[arg-type]


def fill(memory: Memory) -> None:
    """Write the year into a new file."""
    list(memory.add_many(notes()))
    memory.add_messages(
        [
            Message("Why does the flaky test of the importer fail on Mondays?", "user", at="2026-02-09T18:00:00Z"),
            Message("Because the fixture counts from the weekday.", "assistant", at="2026-02-09T18:01:00Z"),
            Message("Fix it, and freeze the clock in the fixture", "user", at="2026-02-09T18:03:00Z"),
            Message("Done: the clock stands at noon now.", "assistant", at="2026-02-09T18:09:00Z"),
        ],
        thread=ThreadInfo(title="Flaky importer test", platform="codex", key=("codex", "codex", "s1")),
    )
    old = memory.add("The boat is insured with Helvetia until May", created_at="2025-09-01T08:00:00Z").item
    new = memory.add("The boat is insured with Allianz until June", created_at="2026-02-08T08:00:00Z").item
    memory.link(new.id, "challenges", old.id)
    memory.set(memory.search("sail after dark", mode="words").hits[0].item.id, pinned=True)
