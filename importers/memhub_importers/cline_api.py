"""Takes the words of people and models out of what Cline and Roo Code send to a model and get back.

A prompt is wrapped in a tag and surrounded by the state of the editor and by results of tools; an answer of an old
version has its calls of tools as XML in the text.
"""

import re
from typing import Any

from memhub_importers.values import entries, table, text

_WRAPPERS = ("task", "feedback", "answer", "user_message", "user_input")
_NOISE = ("environment_details", "file_content", "mode_notice")
_RESULT = re.compile(r"\s*\[[^\]\n]{1,300}\] Result:")
_TOOLS = (
    "write_to_file", "read_file", "replace_in_file", "apply_diff", "insert_content", "search_and_replace", "edit_file",
    "execute_command", "list_files", "search_files", "list_code_definition_names", "codebase_search", "browser_action",
    "use_mcp_tool", "access_mcp_resource", "load_mcp_documentation", "web_fetch", "new_task", "switch_mode", "condense",
    "update_todo_list", "fetch_instructions", "run_slash_command", "generate_image", "report_bug", "new_rule",
)  # fmt: skip
_SPOKEN = {"attempt_completion": "result", "ask_followup_question": "question", "plan_mode_respond": "response"}


def asked(content: Any) -> str:
    """What the person said in a message of role user: what is wrapped, else all text unless it is a tool's result."""
    if isinstance(content, str):
        return _plain(text({"text": content}, "text"), in_result=False)
    blocks = content if isinstance(content, list) else []
    texts = [text(block, "text") for block in blocks if text(block, "type") in ("text", "")]
    in_result = any(_RESULT.match(one) for one in texts) or any(
        text(block, "type") == "tool_result" for block in blocks
    )
    found = []
    for block in blocks:
        if text(block, "type") == "tool_result":
            inner = block.get("content")
            parts = (
                [text(block, "content")]
                if isinstance(inner, str)
                else [text(x, "text") for x in entries(block, "content")]
            )
            found += [_reply(part) for part in parts]
        elif text(block, "type") in ("text", ""):
            found.append(_plain(text(block, "text"), in_result=in_result))
    return "\n\n".join(part for part in found if part)


def said(content: Any) -> tuple[str, bool]:
    """What the model said in a message of role assistant, and whether it closes the task."""
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    found: list[str] = []
    is_result = False
    for block in blocks if isinstance(blocks, list) else []:
        kind, name = text(block, "type"), text(block, "name")
        if kind == "text":
            spoken, closes = _without_calls(text(block, "text"))
            found.append(spoken)
            is_result = is_result or closes
        elif kind == "tool_use" and name in _SPOKEN:
            found.append(text(table(block, "input"), _SPOKEN[name]).strip())
            is_result = is_result or name == "attempt_completion"
    return "\n\n".join(part for part in found if part), is_result


def cut(content: str, tag: str, *, last: bool = False) -> str:
    """`content` without `<tag …>…</tag>`; what is never closed stays. With `last`, up to the last closing tag."""
    kept, position = [], 0
    opening, closing = re.compile(rf"<{tag}(?:\s[^<>]*)?>"), f"</{tag}>"
    while found := opening.search(content, position):
        stop = content.rfind(closing, found.end()) if last else content.find(closing, found.end())
        if stop < 0:
            break
        kept.append(content[position : found.start()])
        position = stop + len(closing)
    return "".join((*kept, content[position:]))


def inside(content: str, tag: str) -> str | None:
    """What stands in the first `<tag …>…</tag>`, trimmed; None without one."""
    found = re.search(rf"<{tag}(?:\s[^<>]*)?>", content)
    stop = content.rfind(f"</{tag}>", found.end()) if found else -1
    return content[found.end() : stop].strip() if found and stop >= 0 else None


def without_noise(content: str) -> str:
    """A prompt without the state of the editor and the files that were added to it."""
    for tag in _NOISE:
        if f"<{tag}" in content:
            content = cut(content, tag)
    return content.strip()


def _plain(content: str, in_result: bool) -> str:
    if in_result:
        return _reply(content)
    content = without_noise(content)
    for tag in _WRAPPERS:
        if content.startswith(f"<{tag}") and content.endswith(f"</{tag}>"):
            return inside(content, tag) or ""
    return content


def _reply(content: str) -> str:
    """What a person answered within the result of a tool; nothing of any other result."""
    content = without_noise(content)
    for tag in ("feedback", "answer", "user_message"):
        before, opening, _ = content.partition(f"<{tag}>")
        if opening and "\n" not in before.strip() and "<" not in before and content.endswith(f"</{tag}>"):
            return inside(content, tag) or ""
    return ""


def _without_calls(content: str) -> tuple[str, bool]:
    content = cut(content, "thinking")
    is_result = False
    for name, field in _SPOKEN.items():
        call = inside(content, name) if f"<{name}" in content else None
        if call is None:
            continue
        start = content.index(f"<{name}")
        content = f"{content[:start].strip()}\n\n{inside(call, field) or ''}".strip()
        is_result = is_result or name == "attempt_completion"
    for name in _TOOLS:
        if f"<{name}>" in content:
            content = cut(content, name, last=True)
    return content.strip(), is_result
