# Made by `mh completion bash --keys`; do not edit.
# Alt+M: choose items with `mh pick`, and put their texts where the cursor is. For another key say, before this is read:
#     mh_pick_key='\C-o'
__mh_pick() {
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
