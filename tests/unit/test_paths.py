"""Folders follow `MH_HOME`, then the platform, and are private."""

import stat
from pathlib import Path

from memhub import paths


def test_home_moves_everything(monkeypatch, tmp_path):
    monkeypatch.setenv("MH_HOME", str(tmp_path / "h"))
    assert paths.database_file() == tmp_path / "h/mh.db"
    assert paths.config_file() == tmp_path / "h/config.toml"
    assert paths.state_folder() == tmp_path / "h/state"
    assert paths.cache_folder() == tmp_path / "h/cache"


def test_without_home_the_platform_decides(monkeypatch, tmp_path):
    monkeypatch.delenv("MH_HOME")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "st"))
    monkeypatch.setenv("XDG_DATA_HOME", "relative/is/ignored")
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    assert paths.state_folder() == tmp_path / "st/mh"
    assert paths.database_file() == tmp_path / ".local/share/mh/mh.db"
    assert paths.config_file() == tmp_path / ".config/mh/config.toml"


def test_our_linux_folders_are_those_of_platformdirs(monkeypatch):
    import platformdirs

    monkeypatch.delenv("MH_HOME")
    monkeypatch.setattr("sys.platform", "linux")
    assert paths.data_folder() == platformdirs.user_data_path("mh", appauthor=False)
    assert paths.config_folder() == platformdirs.user_config_path("mh", appauthor=False)
    assert paths.state_folder() == platformdirs.user_state_path("mh", appauthor=False)


def test_a_chosen_database_wins(tmp_path):
    assert paths.database_file("~/x.db") == Path.home() / "x.db"
    assert paths.database_file(str(tmp_path / "y.db")) == tmp_path / "y.db"


def test_folders_are_private(tmp_path):
    made = paths.make_folder(tmp_path / "a/b/c")
    assert [stat.S_IMODE(folder.stat().st_mode) for folder in (made, made.parent, made.parent.parent)] == [0o700] * 3
