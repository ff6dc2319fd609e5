"""The scripts that put what is picked where the cursor is, in bash, zsh and fish.

Alt+M is free in all three. `mh_pick_key` is a variable of the shell, in the shell's own notation for keys; it is no
setting of `mh`, so it has no name in capitals. Nothing that is put there runs before Enter is pressed.
"""

_HEAD = """\
# Made by `mh completion {shell} --keys`; do not edit.
# Alt+M: choose items with `mh pick`, and put their texts where the cursor is. For another key say, before this is read:
#     {example}
"""

_BASH = r"""__mh_pick() {
    local text
    text=$(command mh pick --print text) || return 0
    READLINE_LINE=${READLINE_LINE:0:READLINE_POINT}$text${READLINE_LINE:READLINE_POINT}
    READLINE_POINT=$((READLINE_POINT + ${#text}))
}
if [[ $- == *i* ]]; then
    for __mh_keymap in emacs-standard vi-command vi-insert; do
        bind -m "$__mh_keymap" -x "\"${mh_pick_key:-\em}\": __mh_pick"
    done
    unset __mh_keymap
fi
"""

_ZSH = r"""__mh_pick() {
    local text
    if text=$(command mh pick --print text); then
        LBUFFER+=$text
    fi
    zle reset-prompt
}
if [[ -o interactive ]]; then
    zle -N mh-pick __mh_pick
    () {
        local keymap
        for keymap in emacs viins vicmd; do
            bindkey -M $keymap "${mh_pick_key:-^[m}" mh-pick
        done
    }
fi
"""

_FISH = r"""function __mh_pick
    if set -l text (command mh pick --print text)
        commandline -i -- (string join \n -- $text | string collect)
    end
    commandline -f repaint
end
if status is-interactive
    set -q mh_pick_key; or set -g mh_pick_key \em
    bind $mh_pick_key __mh_pick
    bind -M insert $mh_pick_key __mh_pick
end
"""

_SCRIPTS = {
    "bash": (r"mh_pick_key='\C-o'", _BASH),
    "zsh": ("mh_pick_key='^o'", _ZSH),
    "fish": (r"set -g mh_pick_key \co", _FISH),
}


def script(shell: str) -> str:
    """The key bindings of `shell`."""
    example, body = _SCRIPTS[shell]
    return _HEAD.format(shell=shell, example=example) + body
