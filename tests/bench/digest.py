"""Measure what a digest costs, and that it follows what is new.

    python tests/bench/digest.py [--sizes 1000,10000] [--json]

For each size a file of made notes, judged and indexed beforehand (both have benches of their own): a first digest, then
digests with 0, 10 and 1,000 new notes. Seconds, CPU seconds (which a busy machine does not stretch) and peak memory are
those of a process of its own that does nothing else, start included; the share is that of the CPU of the first digest.
The model calls are counted with a model that answers at once, in a second file of at most 1,000 notes.

The notes are made of themes: each has some words of its own and comes back at random times, one note in five belongs to
no theme. Vectors come from the embedding model, so that the geometry is real.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from memhub import Memory
from memhub.config import Config
from memhub.model.result import NewNote

NEW = (0, 10, 1000)
_SUBJECTS_TEXT = (
    "guitar kitchen garden server bicycle marathon novel piano allergy balcony mortgage violin sailing chess "
    "camera bread tax insurance dentist puppy aquarium compost printer router backpack telescope sourdough "
    "espresso drone kayak"
)
_SUBJECTS = tuple(_SUBJECTS_TEXT.split())
_PLACES_TEXT = "Lisbon Berlin Naxos Kyoto Porto Oslo Turin Quito Dakar Hanoi Riga Leeds Lyon Split Bergen"
_PLACES = tuple(_PLACES_TEXT.split())
_ACTS = (
    "repaired the {} again before going to {}",
    "bought a new part for the {} in {}",
    "talked with Anna about the {} near {}",
    "the {} took two hours longer than planned in {}",
    "wrote down what went wrong with the {} after {}",
    "the {} works better since the visit to {}",
    "must order something for the {} by Friday, like in {}",
    "read a long article on the {} on the train to {}",
)
_WORDS_TEXT = (
    "river window pencil thunder velvet copper lantern meadow ticket bottle ladder harbour pepper blanket mirror "
    "tunnel feather engine cellar island paper curtain button market valley candle bridge pocket needle garlic "
    "anchor basket"
)
_WORDS = tuple(_WORDS_TEXT.split())


def notes(count: int, seed: int) -> list[NewNote]:
    """Made notes: themes of subject and place, and notes of their own."""
    draw = random.Random(seed)
    made = []
    for number in range(count):
        day = f"20{draw.randint(20, 25)}-{draw.randint(1, 12):02d}-{draw.randint(1, 28):02d}"
        if draw.random() < 0.2:
            text = " ".join(draw.sample(_WORDS, 7)) + f", number {number}-{seed}"
        else:
            theme = draw.randrange(len(_SUBJECTS) * len(_PLACES))
            subject, place = _SUBJECTS[theme % len(_SUBJECTS)], _PLACES[theme // len(_SUBJECTS)]
            text = "I " + draw.choice(_ACTS).format(subject, place) + f", {draw.choice(_WORDS)} {number}-{seed}"
        made.append(NewNote(text, created_at=day))
    return made


def add(path: Path, count: int, seed: int) -> None:
    """Notes in the file, indexed and not waiting to be judged."""
    with Memory(path, config=Config({"judge": "off"})) as memory:
        for _ in memory.add_many(notes(count, seed), again=True):
            pass
        memory.index()


def child(path: Path) -> dict[str, Any]:
    """A digest in a process of its own: seconds, peak MiB, what it made."""
    code = (
        "import json, resource, sys, time; from pathlib import Path; from memhub import Memory\n"
        "began = time.perf_counter(); memory = Memory(Path(sys.argv[1])); report = memory.digest(); memory.close()\n"
        "made = {}\n"
        "for one in report.steps:\n"
        "    made[one.step] = [len(one.new), len(one.renewed), len(one.dropped), one.seconds, one.error]\n"
        "own, of = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "cpu = own.ru_utime + own.ru_stime + of.ru_utime + of.ru_stime\n"
        "print(json.dumps({'seconds': round(time.perf_counter() - began, 3), 'cpu': round(cpu, 3), 'steps': made,\n"
        "    'mib': own.ru_maxrss // 1024, 'calls': report.calls}))\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    return dict(json.loads(done.stdout))


def measure(folder: Path, size: int) -> list[dict[str, Any]]:
    """The rows of one size."""
    path = folder / f"{size}.db"
    began = time.perf_counter()
    add(path, size, 1)
    sys.stderr.write(f"{size}: made in {time.perf_counter() - began:.0f} s\n")
    rows: list[dict[str, Any]] = []
    for number, new in enumerate((size, *NEW)):
        if rows and new:
            add(path, new, 100 + number)
        rows.append({"size": size, "new": new, **child(path)})
        rows[-1]["share"] = round(rows[-1]["cpu"] / rows[0]["cpu"], 4)
        sys.stderr.write(f"{size}: {new} new in {rows[-1]['cpu']:.1f} s CPU\n")
    path.unlink()
    return rows


def calls(folder: Path, size: int) -> list[dict[str, Any]]:
    """Model calls of a first digest and of one with ten new notes, with a model on loopback that answers at once."""
    sys.path.append(str(Path(__file__).parents[1] / "llm"))
    from server import ModelServer, Request

    def answer(request: Request) -> Any:
        if request.prompt == "entities":
            return {"entities": [], "relations": []}
        if request.prompt != "derive":
            return {"found": False, "sentences": []}
        shown = request.data["statements"]
        return {
            "title": "In common", "statement": shown[0]["text"].split(",")[0],
            "citations": [{"id": one["id"], "quote": one["text"].split(",")[0]} for one in shown],
        }  # fmt: skip

    path = folder / "model.db"
    add(path, size, 1)
    rows = []
    with ModelServer(answer) as server:
        os.environ |= {"MH_LLM_MODEL": "openai/small", "MH_LLM_BASE_URL": server.url, "OPENAI_API_KEY": "none"}
        for new in (size, 0, 10):
            if new == 10:
                add(path, new, 200)
            rows.append({"size": size, "new": new, "model": True, **child(path)})
    return rows


def main() -> None:
    """Print a table, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1000,10000", help="how many notes, with commas between them")
    parser.add_argument("--json", action="store_true", help="one JSON document")
    given = parser.parse_args()
    sizes = [int(size) for size in given.sizes.split(",")]
    with tempfile.TemporaryDirectory() as name:
        os.environ.setdefault("MH_HOME", name)
        rows = [row for size in sizes for row in measure(Path(name), size)]
        rows += calls(Path(name), min(sizes[0], 1000))
    if given.json:
        print(json.dumps(rows, indent=1))
        return
    for row in rows:
        made = "  ".join(f"{step} {'/'.join(map(str, counts[:3]))}" for step, counts in row["steps"].items())
        head = f"{row['size']:>7,} {row['new']:>7,} new  {row['seconds']:>8.2f} s  {row['cpu']:>8.2f} s CPU"
        head += f" {row.get('share', 1):>7.1%}"
        print(f"{head}  {row['mib']:>5} MiB  {row['calls']:>5} calls  {made}")


if __name__ == "__main__":
    main()
