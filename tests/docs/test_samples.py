"""The samples that the tour imports: each is read by the importer of its name, and the folder of docs ignores them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
SAMPLES = sorted(path for path in (DOCS / "samples").iterdir() if path.is_dir())


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_a_sample_comes_in_whole_and_once(mh: Callable[..., Any], sample: Path) -> None:
    first = json.loads(mh("import", str(sample), "--json").out)
    assert first["importer"] == sample.name
    assert first["created"] > 0
    assert not first["skipped"]
    assert not first["warnings"]
    again = json.loads(mh("import", str(sample), "--json").out)
    assert (again["created"], again["updated"], again["turns"]) == (0, 0, 0)


def test_the_folder_of_docs_is_its_pages_alone(mh: Callable[..., Any]) -> None:
    report = json.loads(mh("import", str(DOCS), "--json").out)
    assert (report["importer"], report["scope"]) == ("markdown", "docs")
    assert report["created"] == len(list(DOCS.glob("*.md")))
    assert not any(skipped["failed"] for skipped in report["skipped"])
    assert mh("thread", "list", "-q").out == ""
