"""A setting comes from the flag, the environment, the file or the table, and says which."""

import pytest

from memhub import config
from memhub.errors import UsageError


@pytest.fixture
def file(tmp_path):
    return tmp_path / "config.toml"


def test_the_order_of_origins(file):
    file.write_text("[search]\nlimit = 7\n")
    environ = {"MH_SEARCH_LIMIT": "8"}
    assert config.Config(file=file, environ={}).find("list.limit") == ("list.limit", 20, "default")
    assert config.Config(file=file, environ={}).find("search.limit") == ("search.limit", 7, f"file {file}")
    assert config.Config(file=file, environ=environ).find("search.limit")[1:] == (8, "environment MH_SEARCH_LIMIT")
    assert config.Config({"search.limit": 9}, file=file, environ=environ).find("search.limit")[1:] == (9, "flag")


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("serch.limit = 1", "unknown setting `serch.limit` in {file}", "did you mean `search.limit`?"),
        ("[search]\nlimit = -1", "`search.limit` in {file} must be a whole number from 0 up, not `-1`", None),
        ("[search]\nlimit = true", "`search.limit` in {file} must be a whole number from 0 up, not `True`", None),
        ("space = 3", "`space` in {file} must be text, not `3`", None),
        ('color = "blue"', "`color` in {file} must be one of auto, always, never, not `blue`", None),
    ],
)
def test_a_wrong_file_names_file_and_key(file, text, message, hint):
    file.write_text(text)
    with pytest.raises(UsageError) as caught:
        config.Config(file=file, environ={}).all()
    assert caught.value.message == message.format(file=file)
    assert caught.value.hint == hint


def test_a_broken_file_is_named(file):
    file.write_text("space = [")
    with pytest.raises(UsageError, match="is not valid TOML"):
        config.Config(file=file, environ={}).all()


def test_set_keeps_everything_else(file):
    file.write_text(
        '# mine\nspace = "home"  # where I live\n\n'
        "[search] # reading\nlimit = 5\n# the end of search\n\n[list]\nlimit = 3\n"
    )
    config.write(file, "space", "work")
    config.write(file, "search.mode", "words")
    config.write(file, "search.limit", 6)
    config.write(file, "color", "never")
    config.write(file, "list.limit", None)
    assert file.read_text() == (
        '# mine\nspace = "work"  # where I live\ncolor = "never"\n\n'
        '[search] # reading\nlimit = 6\n# the end of search\nmode = "words"\n\n[list]\n'
    )
    assert config.read_file(file) == {"space": "work", "color": "never", "search.limit": 6, "search.mode": "words"}


def test_set_makes_the_file_private(file):
    config.write(file, "search.limit", 4)
    assert file.read_text() == "[search]\nlimit = 4\n"
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("value", ['say "hi" # not a comment', "C:\\notes", "颜色", ""])
def test_any_text_survives(file, value):
    config.write(file, "editor", value)
    config.write(file, "space", "s")
    assert config.read_file(file)["editor"] == value


def test_a_dotted_key_is_found(file):
    file.write_text("search.limit = 5\n")
    config.write(file, "search.limit", 6)
    assert file.read_text() == "search.limit = 6\n"


def test_what_cannot_be_edited_line_by_line_is_left_alone(file):
    file.write_text('editor = """\nvi"""\n')
    with pytest.raises(UsageError, match="cannot change `editor`"):
        config.write(file, "editor", "nano")
    assert file.read_text() == 'editor = """\nvi"""\n'
    assert list(file.parent.iterdir()) == [file]


def test_every_setting_has_a_variable_and_words():
    assert {setting.variable for setting in config.SETTINGS} >= {"MH_DB", "MH_SPACE", "MH_TIMEZONE", "MH_SEARCH_LIMIT"}
    assert all(setting.words for setting in config.SETTINGS)
