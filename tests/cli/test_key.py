"""Keys come from the environment, then the keyring; without a keyring the way out is named."""

import json

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends.fail import Keyring as NoKeyring
from keyring.errors import PasswordDeleteError


class Ring(KeyringBackend):
    priority = 1

    def __init__(self):
        super().__init__()
        self.kept = {}

    def get_password(self, service, username):
        return self.kept.get((service, username))

    def set_password(self, service, username, password):
        self.kept[service, username] = password

    def delete_password(self, service, username):
        if self.kept.pop((service, username), None) is None:
            raise PasswordDeleteError(username)


@pytest.fixture
def ring():
    before = keyring.get_keyring()
    made = Ring()
    keyring.set_keyring(made)
    yield made
    keyring.set_keyring(before)


def test_a_key_is_kept_listed_and_removed_but_never_shown(mh, ring):
    code, out, err = mh("key", "set", "openai", stdin="sk-secret\n")
    assert (code, out) == (0, "")
    assert "sk-secret" not in err
    assert ring.kept["mh", "openai"] == "sk-secret"
    assert mh("key", "list").out == "openai  keyring\n"
    assert mh("key", "rm", "openai").code == 0
    assert mh("key", "list", "--json").out == "[]\n"
    assert mh("key", "rm", "openai").code == 3


def test_the_environment_comes_first(mh, ring, monkeypatch):
    from memhub.secrets import read_key

    mh("key", "set", "open-ai", stdin="from the ring")
    assert read_key("open-ai") == "from the ring"
    monkeypatch.setenv("MH_KEY_OPEN_AI", "from the environment")
    assert read_key("open-ai") == "from the environment"
    assert json.loads(mh("key", "list", "--json").out) == [{"name": "open-ai", "origin": "environment"}]


def test_without_a_keyring_the_environment_is_named(mh, ring):
    from memhub.secrets import read_key

    keyring.set_keyring(NoKeyring())
    assert read_key("openai") is None
    code, _, err = mh("key", "set", "openai", stdin="x")
    assert code == 5
    assert err.endswith("hint: set `MH_KEY_OPENAI` in the environment instead\n")
    assert mh("key", "list")[:2] == (0, "")


@pytest.mark.parametrize("name", ["Open AI", "names", "", "ключ"])
def test_a_name_is_plain(mh, ring, name):
    assert mh("key", "set", name, stdin="x").code == 2


def test_an_empty_key_is_refused(mh, ring):
    assert mh("key", "set", "openai", stdin="\n").code == 2
