# Made by `mh completion zsh --keys`; do not edit.
# Alt+M: choose items with `mh pick`, and put their texts where the cursor is. For another key say, before this is read:
#     mh_pick_key='^o'
__mh_pick() {
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
