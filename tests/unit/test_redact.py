"""What is masked, and what is ordinary writing. All keys here are made up."""

import time

import pytest

from memhub.text.redact import find_secrets, mask

KEY_BLOCK = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\nabcdef==\n-----END OPENSSH PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("aws AKIA" + "ABCDEFGHIJKLMNOP end", "aws [masked aws-key] end"),
        ("push with ghp_" + "a1" * 18, "push with [masked github-token]"),
        ("key: sk-" + "proj-abc123def456ghi789", "key: [masked api-key]"),
        ("xoxb-" + "123456789012-abcdef", "[masked slack-token]"),
        (
            "clone https://mara:t0ps3cret@a.org/x",
            "clone https://mara:[masked password-in-address]@a.org/x",
        ),
        ("password = hunter2!", "password = [masked password]!"),
        ('{"api_key": "9f8e7d6c5b4a"}', '{"api_key": "[masked password]"}'),
        ("export API_TOKEN=abc123def456", "export API_TOKEN=[masked password]"),
        ("密码：qwer1234", "密码：[masked password]"),
        (
            "curl -H 'Authorization: Bearer abcdef1234567890abcd'",
            "curl -H 'Authorization: Bearer [masked bearer-token]'",
        ),
        ("mysql -u root -phunter22 shop", "mysql -u root -p[masked password] shop"),
        (f"my key\n{KEY_BLOCK}\nafter", "my key\n[masked private-key]\nafter"),
        ("-----BEGIN RSA PRIVATE KEY-----\ncut off\n\nnext paragraph", "[masked private-key]\n\nnext paragraph"),
        ("eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjMifQ.c2lnbmF0dXJl", "[masked web-token]"),
    ],
)
def test_secrets_are_masked(text: str, masked: str) -> None:
    assert mask(text) == masked


@pytest.mark.parametrize(
    "text",
    [
        "The password is hard to remember.",
        "password: required",
        "password: string (at least 8 characters)",
        "Passwords: never write them down",
        "tokens: 128000 in, 4096 out",
        "max_tokens=4096",
        "The token ring network; the secret of good bread: time.",
        "secret: see the vault page",
        "api_key = os.environ['API_KEY']",
        "token: ${GITHUB_TOKEN}",
        "password=<your-password>",
        "password: {{ vault.password }}",
        "the compass: north-west",
        "https://example.org:8080/path@2x.png",
        "task-list-with-many-words-in-it and risk-management-for-beginners",
        "sk-learn is called scikit-learn",
        "-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----",
        "ssh -p 2222 host; mysql -u root -p",
        "他忘了密码，只好重新注册。",
        "token: https://example.org/docs/1",
        "git commit 3f786850e387550fdab836ed7e6dc881de23001b",
    ],
)
def test_ordinary_writing_is_not(text: str) -> None:
    assert find_secrets(text) == []
    assert mask(text) is text


@pytest.mark.parametrize(
    "piece",
    [
        "password=",
        "-----BEGIN RSA PRIVATE KEY-----\n",
        "://a:",
        "eyJaaaaaaaaaa.",
        "mysql -",
        "sk-",
        "bearer ",
        "a",
        "token ",
    ],
)
def test_a_megabyte_takes_no_time(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    start = time.process_time()
    find_secrets(text)
    assert time.process_time() - start < 10
