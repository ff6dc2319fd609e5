# Made by `mh completion fish --keys`; do not edit.
# Alt+M: choose items with `mh pick`, and put their texts where the cursor is. For another key say, before this is read:
#     set -g mh_pick_key \co
function __mh_pick
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
