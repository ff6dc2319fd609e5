"""How well statements are grouped by theme, on labelled sentences in both languages; the numbers of docs/digest.md."""

import os
from pathlib import Path

import pytest

from memhub.digest import clusters
from memhub.digest.schemas import CUT, LARGE, LEAST
from memhub.embed.opening import open_engine

DATA = Path(__file__).parent / "data"


def grouped(name: str) -> tuple[list[str], list[list[int]]]:
    """The labels of a file, and its rows in groups."""
    rows = [line.split("\t") for line in (DATA / name).read_text(encoding="utf-8").splitlines()]
    engine = open_engine(Path(os.environ["MH_HOME"], "cache"))
    vectors = clusters.unit(engine.embed([text for _, text in rows]), engine.info.dims)
    found = clusters.groups(vectors, list(range(len(rows))), CUT)
    return [label for label, _ in rows], [group for group in found if LEAST <= len(group) <= LARGE]


@pytest.mark.parametrize(
    ("name", "purity", "coverage", "themes"),
    [("themes_dev.tsv", 0.95, 0.54, 0.65), ("themes_held.tsv", 0.91, 0.48, 0.70)],
)
def test_groups_are_of_one_theme(name: str, purity: float, coverage: float, themes: float) -> None:
    labels, groups = grouped(name)
    right, members, seen = 0, 0, set()
    for group in groups:
        own = [labels[row] for row in group]
        top = max(set(own), key=own.count)
        members += len(own)
        if top != "-":
            right += own.count(top)
            seen.add(top)
    every = [label for label in labels if label != "-"]
    inside = sum(labels[row] != "-" for group in groups for row in group)
    assert right / members >= purity
    assert inside / len(every) >= coverage
    assert len(seen) / len(set(every)) >= themes


def test_average_linkage_is_that_of_the_textbook() -> None:
    import numpy as np

    draw = np.random.default_rng(7)
    middles = draw.normal(size=(5, 32))
    rows = np.concatenate([middle + 0.25 * draw.normal(size=(9, 32)) for middle in middles]).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1)[:, None]
    for cut in (0.2, 0.6, 0.85, 0.93):
        ours = {tuple(sorted(group)) for group in clusters.linked(rows, list(range(len(rows))), cut)}
        assert ours == _plain(rows @ rows.T, cut)


def _plain(near: "object", cut: float) -> set[tuple[int, ...]]:
    """Always merge the two groups with the highest average."""
    import numpy as np

    table = np.array(near)
    groups = [[row] for row in range(len(table))]
    while len(groups) > 1:
        best, one, two = max(
            (float(table[np.ix_(a, b)].mean()), i, j)
            for i, a in enumerate(groups) for j, b in enumerate(groups) if i < j
        )  # fmt: skip
        if best < cut:
            break
        groups[one] += groups.pop(two)
    return {tuple(sorted(group)) for group in groups}
