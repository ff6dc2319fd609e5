"""Where editors made from VS Code keep their storage, and the paths in their URIs."""

from pathlib import Path

import pytest
from memhub_importers import vscode


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///home/mira/old%20lamp", "/home/mira/old lamp"),
        ("file:///home/mira/50%25%23x%3F", "/home/mira/50%#x?"),
        ("file:///c%3A/Users/mira/lamp", "c:\\Users\\mira\\lamp"),
        ("file://server/share/lamp", "//server/share/lamp"),
        ("vscode-remote://wsl%2Bubuntu/home/mira/lamp", "/home/mira/lamp"),
        ("vscode-remote://ssh-remote%2Bhost/srv/lamp", "/srv/lamp"),
        ("untitled:///x", None),
        ("vscode-vfs://github/a/b", None),
        ("file://[bad", None),
        ("/plain/path", "/plain/path"),
        ("", None),
    ],
)
def test_paths_of_uris(uri: str, path: str | None) -> None:
    assert vscode.path_of(uri) == path


@pytest.mark.parametrize(
    ("settings", "folder"),
    [
        ('{"folder": "file:///home/mira/lamp"}', "/home/mira/lamp"),
        ('{"workspace": "file:///home/mira/all/lamps.code-workspace"}', "/home/mira/all"),
        ('{"workspace": "file:///home/mira/.config/Code/Workspaces/17/workspace.json"}', None),
        ('{"folder": 7}', None),
        ("[]", None),
        ("{", None),
        (None, None),
    ],
)
def test_the_folder_of_a_workspace(settings: str | None, folder: str | None, tmp_path: Path) -> None:
    if settings is not None:
        (tmp_path / "workspace.json").write_text(settings)
    assert vscode.workspace_folder(tmp_path) == folder


def _user(*parts: Path | str) -> Path:
    folder = Path(*parts)
    (folder / "globalStorage").mkdir(parents=True)
    return folder


def test_the_usual_places_of_all_systems(tmp_path: Path) -> None:
    home = tmp_path / "home"
    made = {
        _user(home, ".config/Code/User"),
        _user(home, ".config/VSCodium/User"),
        _user(home, "Library/Application Support/Cursor/User"),
        _user(home, "AppData/Roaming/Windsurf/User"),
        _user(home, ".vscode-server/data/User"),
        _user(home, ".cursor-server/data/User"),
        _user(home, ".var/app/com.visualstudio.code/config/Code/User"),
    }
    (home / ".config/firefox/User").mkdir(parents=True)
    assert set(vscode.usual(home, {})) == made
    other, portable = _user(tmp_path, "xdg/Code/User"), _user(tmp_path, "portable/user-data/User")
    environ = {"XDG_CONFIG_HOME": str(tmp_path / "xdg"), "VSCODE_PORTABLE": str(tmp_path / "portable")}
    assert vscode.usual(tmp_path / "nobody", environ) == [other, portable]


def test_below_a_folder_given_by_hand_and_never_out_of_it(tmp_path: Path) -> None:
    code = _user(tmp_path, "config/Code/User")
    elsewhere = _user(tmp_path, "elsewhere/User")
    (tmp_path / "config/Linked").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "config/Circle").symlink_to(tmp_path / "config")
    for path in (code, code.parent, code.parent.parent):
        assert vscode.below(path) == [code]
    assert vscode.below(tmp_path / "elsewhere") == [elsewhere]
    portable = _user(tmp_path, "install/data/user-data/User")
    assert vscode.below(tmp_path / "install") == [portable]
    assert vscode.below(tmp_path / "nothing") == []
