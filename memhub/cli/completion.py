"""`mh completion`: the scripts that complete `mh` in bash, zsh and fish.

They are generated from the commands, hold everything they need, and never start `mh`, so that Tab is instant.
"""

from collections.abc import Callable
from typing import Annotated, Literal

import typer

from memhub.cli.app import Context, Plain, typer_app
from memhub.cli.tree import Node, Option, nodes

app = typer_app()


@app.command("completion", cls=Plain)
def completion(
    ctx: Context,
    shell: Annotated[Literal["bash", "zsh", "fish"], typer.Argument(metavar="SHELL", help="bash, zsh or fish.")],
    keys: Annotated[bool, typer.Option("--keys", help="Print the key bindings instead.")] = False,
) -> None:
    """Print the completion script of a shell, or its key bindings.

    \b
    bash: mh completion bash > ~/.local/share/bash-completion/completions/mh
    zsh: mh completion zsh into a file _mh in a folder of $fpath
    fish: mh completion fish > ~/.config/fish/completions/mh.fish

    With --keys, Alt+M puts the text of what you pick where the cursor is:

    \b
    ~/.bashrc: eval "$(mh completion bash --keys)"
    ~/.zshrc: eval "$(mh completion zsh --keys)"
    ~/.config/fish/config.fish: mh completion fish --keys | source
    """
    from memhub.cli import key_bindings

    text = key_bindings.script(shell) if keys else script(shell)
    ctx.obj.output.line(text.rstrip("\n"))


def script(shell: str) -> str:
    """The completion script of `shell`."""
    writers: dict[str, Callable[[list[Node]], str]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}
    return writers[shell](list(nodes()))


_HEAD = "# Made by `mh completion {}`; do not edit.\n"

_BASH = """\
_mh() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} path="" word i skip=0
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if ((skip)); then skip=0; continue; fi
        case $word in
            %(with_value)s) skip=1; continue ;;
            -*) continue ;;
        esac
        case "$path $word" in
            %(paths)s) path="$path $word" ;;
        esac
    done
    COMPREPLY=()
    case "$path $prev" in
%(values)s
    esac
    case $path in
%(words)s
    esac
}
complete -o bashdefault -o default -F _mh mh memhub
"""


def _bash(tree: list[Node]) -> str:
    taking = sorted({name for node in tree for option in node.options if option.takes_value for name in option.names})
    paths = [f'" {" ".join(node.path)}"' for node in tree if node.path]
    values = []
    words = []
    for node in tree:
        where = "".join(f" {word}" for word in node.path)
        for option in node.options:
            names = "|".join(f'"{where} {name}"' for name in option.names)
            if option.choices:
                values.append(
                    f'        {names}) COMPREPLY=($(compgen -W "{" ".join(option.choices)}" -- "$cur")); return ;;'
                )
            elif option.takes_value:
                values.append(f"        {names}) return ;;")
        options = " ".join(name for option in node.options for name in option.names)
        children = " ".join(name for name, _ in node.children)
        offered = [f'            -*) COMPREPLY=($(compgen -W "{options}" -- "$cur")) ;;']
        if children:
            offered.append(f'            *) COMPREPLY=($(compgen -W "{children}" -- "$cur")) ;;')
        words.append("\n".join([f'        "{where}") case $cur in', *offered, "        esac ;;"]))
    filled = _BASH % {
        "with_value": "|".join(taking),
        "paths": "|".join(paths),
        "values": "\n".join(values),
        "words": "\n".join(words),
    }
    return _HEAD.format("bash") + filled


def _zsh(tree: list[Node]) -> str:
    functions = [_zsh_function(node) for node in tree]
    last = 'if [ "$funcstack[1]" = "_mh" ]; then _mh "$@"; else compdef _mh mh memhub; fi\n'
    return "#compdef mh memhub\n" + _HEAD.format("zsh") + "\n".join(functions) + "\n" + last


def _zsh_function(node: Node) -> str:
    name = "_mh" + "".join(f"__{word.replace('-', '_')}" for word in node.path)
    specs = [_zsh_option(option) for option in node.options]
    if not node.children:
        specs.append("'*:file:_files'" if node.takes_files else "'*: :_default'")
        return "\n".join([f"{name}() {{", "    _arguments -s -S \\", *_continued(specs), "}"])
    described = " ".join(_quoted(f"{child}:{help}") for child, help in node.children)
    cases = "|".join(child for child, _ in node.children)
    return "\n".join(
        [
            f"{name}() {{",
            "    local curcontext=$curcontext state line",
            f"    local -a commands=({described})",
            "    _arguments -C \\",
            *_continued([*specs, "'1: :->command'", "'*:: :->rest'"]),
            "    case $state in",
            "        command) _describe command commands ;;",
            f"        rest) case $line[1] in {cases}) {name}__${{line[1]//-/_}} ;; esac ;;",
            "    esac",
            "}",
        ]
    )


def _continued(specs: list[str]) -> list[str]:
    return [f"        {spec} \\" for spec in specs[:-1]] + [f"        {specs[-1]}"]


def _zsh_option(option: Option) -> str:
    help = option.help.replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")
    value = ""
    if option.takes_value:
        value = f":value:({' '.join(option.choices)})" if option.choices else ":value:"
        value = ":file:_files" if option.is_path else value
    if len(option.names) == 1:
        return _quoted(f"*{option.names[0]}[{help}]{value}")
    names = ",".join(option.names)
    return f"'*'{{{names}}}{_quoted(f'[{help}]{value}')}"


def _fish(tree: list[Node]) -> str:
    lines = [
        "function __mh_plain",
        "    for word in (commandline -opc)[2..-1]",
        "        string match -q -- '-*' $word; or echo $word",
        "    end",
        "end",
        "function __mh_at",
        "    set -l plain (__mh_plain)",
        "    test (count $argv) -eq 0; and return 0",
        '    test "$plain[1..(count $argv)]" = "$argv"',
        "end",
        "function __mh_exactly",
        "    set -l plain (__mh_plain)",
        '    test "$plain" = "$argv"',
        "end",
    ]
    for node in tree:
        where = " ".join(node.path)
        for child, help in node.children:
            lines.append(
                f"complete -c mh -f -n {_quoted(f'__mh_exactly {where}'.strip())} -a {child} -d {_quoted(help)}"
            )
        for option in node.options:
            lines.append(_fish_option(where, bool(node.children), option))
    return _HEAD.format("fish") + "\n".join(lines) + "\ncomplete -c memhub -w mh\n"


def _fish_option(where: str, has_children: bool, option: Option) -> str:
    condition = f"__mh_{'exactly' if has_children else 'at'} {where}".strip()
    names = "".join(f" -l {name[2:]}" if name.startswith("--") else f" -s {name[1:]}" for name in option.names)
    value = ""
    if option.takes_value:
        value = f" -x -a {_quoted(' '.join(option.choices))}" if option.choices else " -x"
        value = " -r" if option.is_path else value
    return f"complete -c mh -n {_quoted(condition)}{names}{value} -d {_quoted(option.help)}"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
