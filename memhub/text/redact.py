"""Finds keys, tokens and passwords in a text, so that capture can warn of them and imports can mask them.

The shapes are those that services give their own keys, private key blocks, passwords in addresses, and assignments
such as `password = …`. Ordinary prose about passwords is no secret: the value must look made up (a digit or a sign
among its letters) and not be a placeholder. Each row is tried only when one of its needles is in the text, and no
pattern can look further than a bounded distance, so that time grows with the length of the text alone.
"""

import re
from functools import cache
from typing import NamedTuple


class Secret(NamedTuple):
    """`text[start:stop]` is a secret of the kind `name`."""

    name: str
    start: int
    stop: int


# name, needles (lower case; one must be in the lower-cased text), pattern (its first group, if any, is the secret)
_SHAPES: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("aws-key", ("akia", "asia"), r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"),
    ("github-token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"\bgh[pousr]_[A-Za-z0-9]{36,255}"),
    ("github-token", ("github_pat_",), r"\bgithub_pat_[A-Za-z0-9_]{22,255}"),
    ("gitlab-token", ("glpat-",), r"\bglpat-[A-Za-z0-9_-]{20,100}"),
    ("slack-token", ("xox",), r"\bxox[abeprs]-[A-Za-z0-9-]{10,200}"),
    ("slack-webhook", ("hooks.slack.com",), r"hooks\.slack\.com/services/([A-Za-z0-9/+]{20,100})"),
    ("api-key", ("sk-",), r"(?<![\w-])sk-(?=[A-Za-z_-]{0,60}\d)[A-Za-z0-9_-]{16,250}"),
    ("stripe-key", ("k_live_", "k_test_"), r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,200}"),
    ("google-key", ("aiza",), r"\bAIza[A-Za-z0-9_-]{35}"),
    ("google-token", ("ya29.",), r"\bya29\.[A-Za-z0-9_-]{20,500}"),
    ("hugging-face-token", ("hf_",), r"\bhf_[A-Za-z0-9]{30,100}"),
    ("npm-token", ("npm_",), r"\bnpm_[A-Za-z0-9]{36,100}"),
    ("pypi-token", ("pypi-ag",), r"\bpypi-Ag[A-Za-z0-9_-]{50,500}"),
    ("sendgrid-key", ("sg.",), r"\bSG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,64}"),
    ("telegram-token", (":aa",), r"\b\d{8,10}:AA[A-Za-z0-9_-]{33}\b"),
    ("web-token", ("eyj",), r"\beyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,2000}"),
    ("password-in-address", ("://",), r"://[^/\s:@]{1,100}:([^@\s/]{1,200})@"),
    ("bearer-token", ("bearer",), r"(?i)\bbearer\s{1,3}(?=[a-z._~+/-]{0,60}\d)([a-z0-9._~+/-]{16,2000}=*)"),
    (
        "basic-authorization",
        ("authorization",),
        r"(?i)\bauthorization[\"']?\s?[:=]\s?[\"']?basic\s([a-z0-9+/]{8,500}=*)",
    ),
    (
        "password",
        ("mysql",),
        r"\bmysql(?:dump)?\b[^\n|;]{0,200}?\s-p([^\s'\"]{4,100}|'[^'\n]{1,100}')",
    ),
)
_NEEDLES = [(needle, (name, pattern)) for name, needles, pattern in _SHAPES for needle in needles]
_KEYWORDS = ("pass", "pwd", "secret", "token", "api", "credential", "密码", "口令", "密钥")
_ASSIGNED = (
    r"(?i)(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|api[_-]?key|credentials?|密码|口令|密钥)"
    r"[\w.-]{0,30}[\"'\]]{0,2}\s{0,3}(?:=>|:=|[=:：])\s{0,3}(?:\"([^\"\n]{6,300})\"|'([^'\n]{6,300})'|([^\s\"'`<>，。；、]{6,300}))"
)
_PLACEHOLDER = r"(?i)^[$%{<(\[*]|\{\{|\.\.\.|…|^x+$|^(?:your|my|the|example|changeme|none|null|true|false)\b|[(\[]|://"
_KEY_BEGIN = "-----BEGIN "
_KEY_LIMIT = 20_000


def find_secrets(text: str) -> list[Secret]:
    """The secrets in `text`, in order, none overlapping another."""
    found = list(_key_blocks(text))
    lower = text.lower()
    for name, pattern in _possible(lower):
        for match in _compiled(pattern).finditer(text):
            group = 1 if match.re.groups and match[1] is not None else 0
            found.append(Secret(name, *match.span(group)))
    for word in _KEYWORDS:
        if word in lower:
            found.extend(_assigned(text))
            break
    if not found:
        return found
    found.sort(key=lambda secret: (secret.start, -secret.stop))
    apart: list[Secret] = []
    for secret in found:
        if not apart or secret.start >= apart[-1].stop:
            apart.append(secret)
    return apart


def _possible(lower: str) -> list[tuple[str, str]]:
    """Names and patterns of the rows of which a needle is in a text. Most texts hold none: this is what takes time."""
    found: dict[tuple[str, str], None] = {}
    for needle, row in _NEEDLES:
        if needle in lower:
            found[row] = None
    return list(found)


class Masked(NamedTuple):
    """A text with every secret replaced by `[masked NAME]`, and the names of what was replaced, each once."""

    text: str
    names: tuple[str, ...]


def masked(text: str) -> Masked:
    """`text` without its secrets; one without any comes back as it is."""
    secrets = find_secrets(text)
    if not secrets:
        return Masked(text, ())
    parts: list[str] = []
    position = 0
    for name, start, stop in secrets:
        parts += [text[position:start], f"[masked {name}]"]
        position = stop
    return Masked("".join([*parts, text[position:]]), tuple(dict.fromkeys(secret.name for secret in secrets)))


def mask(text: str) -> str:
    """`text` with every secret replaced by `[masked NAME]`."""
    return masked(text).text


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _key_blocks(text: str) -> list[Secret]:
    """Private key blocks, whole; one that does not end is taken to the next blank line."""
    found: list[Secret] = []
    start = text.find(_KEY_BEGIN)
    while start >= 0:
        head = text[start : start + 80].split("\n", 1)[0]
        after = start + len(_KEY_BEGIN)
        if "PRIVATE KEY" in head:
            end = text.find("-----END ", after, start + _KEY_LIMIT)
            if end >= 0:
                close = text.find("-----", end + 9, end + 80)
                stop = close + 5 if close >= 0 else end + 9
            else:
                gap = text.find("\n\n", after, start + _KEY_LIMIT)
                stop = gap if gap >= 0 else min(len(text), start + _KEY_LIMIT)
            found.append(Secret("private-key", start, stop))
            after = stop
        start = text.find(_KEY_BEGIN, after)
    return found


def _assigned(text: str) -> list[Secret]:
    found: list[Secret] = []
    for match in _compiled(_ASSIGNED).finditer(text):
        group = match.lastindex or 0
        value = match[group].rstrip(".,;:!?)")
        if len(value) >= 6 and _looks_made_up(value):
            found.append(Secret("password", match.start(group), match.start(group) + len(value)))
    return found


def _looks_made_up(value: str) -> bool:
    """Whether a value is a secret and not a word, a number, a date, a path, code or a placeholder."""
    if " " in value or not value.isascii() or _compiled(_PLACEHOLDER).search(value):
        return False
    letters = any(letter.isalpha() for letter in value)
    others = any(not letter.isalpha() and letter not in "_-./" for letter in value)
    return letters and others
