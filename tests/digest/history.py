"""A year of somebody's notes, in English and Chinese: themes that keep coming back, and much that happened once."""

from typing import NamedTuple


class Said(NamedTuple):
    """One note: its day, its words, and the theme it belongs to; None when it stands alone."""

    day: str
    text: str
    theme: str | None


THEMES: dict[str, tuple[tuple[str, str], ...]] = {
    "running": (
        ("2025-02-03", "Went for a run along the river before breakfast, 5 km in 29 minutes."),
        ("2025-03-10", "Morning run in the rain, my knees hurt after 8 km."),
        ("2025-04-21", "I signed up for the spring half marathon and run three times a week now."),
        ("2025-06-02", "Long run of 16 km on Sunday, new running shoes are worth it."),
        ("2025-08-11", "Skipped the run, too hot, will run early tomorrow instead."),
        ("2025-10-06", "Half marathon done in 1:52, my slowest kilometres were on the hill run."),
    ),
    "sourdough": (
        ("2025-02-08", "Fed the sourdough starter twice today, it doubled in four hours."),
        ("2025-03-15", "Baked a sourdough loaf with rye flour, the crust came out dark."),
        ("2025-05-17", "Sourdough bread was too dense, the starter needs warmer flour and water."),
        ("2025-07-19", "Baking sourdough with a long cold proof gives the bread a better crumb."),
        ("2025-11-08", "I gave Anna some of my sourdough starter and the recipe for the loaf."),
    ),
    "backups": (
        ("2025-02-12", "The nightly backup of the server failed because the disk was full."),
        ("2025-04-09", "Moved the server backups to restic, the first backup took three hours."),
        ("2025-06-18", "Restored a server backup as a test: the database came back without errors."),
        ("2025-09-03", "Backup disk of the server replaced; nightly restic backup runs again."),
    ),
    "吉他": (
        ("2025-02-05", "晚上练了半小时吉他，和弦转换还是不够快。"),
        ("2025-03-20", "吉他老师说我右手扫弦太用力，要放松手腕。"),
        ("2025-05-11", "学会了用吉他弹《天空之城》的前奏，和弦不难。"),
        ("2025-07-27", "吉他换了新弦，声音亮了很多，继续练和弦。"),
        ("2025-11-30", "在朋友聚会上弹吉他唱了两首歌，有点紧张。"),
    ),
    "房租": (
        ("2025-03-01", "房东说下个月房租涨到六千块，合同要重新签。"),
        ("2025-04-02", "跟房东谈了房租，最后同意只涨三百块。"),
        ("2025-06-15", "新的租房合同签好了，房租押一付三。"),
        ("2025-12-01", "房东提前通知明年房租不变，合同自动续签。"),
    ),
    "japanese": (
        ("2025-02-20", "Learned twenty new kanji with flash cards on the train."),
        ("2025-04-14", "My Japanese teacher corrected my particles again, wa and ga."),
        ("2025-06-25", "Read the first chapter of a Japanese children's book without a dictionary."),
        ("2025-09-16", "Booked the JLPT N4 Japanese exam for December, need more kanji."),
        ("2025-12-08", "The Japanese exam went well, listening was the hardest part."),
    ),
    "last minute": (
        ("2025-05-29", "I filed the tax return at the last minute, two hours before the deadline."),
        ("2025-07-30", "Tax papers again left until the last minute, the accountant was annoyed."),
        ("2025-10-28", "I put off the tax payment until the last day and paid a fee."),
    ),
    "travel": (
        ("2025-06-11", "Bought the train tickets to Naxos at the last minute, the ferry was nearly full."),
        ("2025-08-02", "Packed for the Greek island holiday at the last minute and forgot the charger."),
        ("2025-08-20", "I put off booking the hotel in Athens until the last day, the ferry to the island was full."),
    ),
}

ALONE = (
    ("2025-02-14", "The neighbour's cat is called Mochi."),
    ("2025-03-03", "Password manager costs 36 dollars a year."),
    ("2025-03-28", "冰箱的保修期到 2027 年三月。"),
    ("2025-04-30", "Dentist moved to Garden Street 12."),
    ("2025-05-05", "The film on Friday was too long."),
    ("2025-06-30", "图书馆周一不开门。"),
    ("2025-07-07", "Mara's wedding gift: the blue ceramic bowl."),
    ("2025-08-29", "Bike lock code changed, see the envelope."),
    ("2025-09-21", "小区门口新开了一家修鞋铺。"),
    ("2025-10-10", "The attic lamp needs an E14 bulb."),
    ("2025-11-15", "Grandma's recipe uses nutmeg, not cinnamon."),
    ("2025-12-20", "快递柜取件码收到短信才有。"),
)

FACTS = (
    ("2025-02-01", "I live in Lisbon."),
    ("2025-02-02", "My favourite editor is Helix."),
    ("2025-02-04", "我对花生过敏。"),
)


def year() -> list[Said]:
    """Everything, oldest first."""
    told = [Said(day, text, theme) for theme, notes in THEMES.items() for day, text in notes]
    told += [Said(day, text, None) for day, text in (*ALONE, *FACTS)]
    return sorted(told)


def as_lines(notes: list[Said] | None = None) -> str:
    """The notes as records for `mh add --split jsonl -`."""
    import json

    return "\n".join(
        json.dumps({"content": one.text, "created_at": one.day}, ensure_ascii=False) for one in notes or year()
    )
