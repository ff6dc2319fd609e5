# Made by `mh completion bash`; do not edit.
_mh() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} path="" word i skip=0
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if ((skip)); then skip=0; continue; fi
        case $word in
            --add|--against|--as|--at|--bot-name|--budget|--chat-name|--chat-type|--content|--date|--db|--depth|--description|--expect|--form|--format|--importance|--importer|--item|--keep|--kind|--label|--layer|--level|--limit|--merge|--mode|--note|--offset|--only|--option|--output|--overturn|--platform|--port|--print|--project|--reads|--request-id|--rm|--since|--sort|--source|--space|--split|--state|--steps|--subject|--text|--thread|--title|--type|--until|--with|-c|-d|-k|-l|-m|-n|-o|-t) skip=1; continue ;;
            -*) continue ;;
        esac
        case "$path $word" in
            " add"|" capture"|" search"|" show"|" list"|" ask"|" brief"|" graph"|" tui"|" pick"|" edit"|" set"|" mv"|" rm"|" restore"|" erase"|" label"|" label add"|" label rm"|" label rename"|" label list"|" space"|" space new"|" space list"|" space rename"|" space read"|" space merge"|" link"|" unlink"|" links"|" entity"|" entity list"|" entity show"|" entity merge"|" entity alias"|" entity rename"|" entity split"|" entity rm"|" thread"|" thread list"|" thread show"|" thread search"|" thread rm"|" thread export"|" judge"|" digest"|" distill"|" review"|" profile"|" persona"|" useful"|" useless"|" rulings"|" why"|" evolves"|" queue"|" history"|" log"|" undo"|" redo"|" import"|" export"|" index"|" stats"|" doctor"|" schedule"|" schedule install"|" schedule show"|" schedule remove"|" config"|" config show"|" config get"|" config set"|" config unset"|" config path"|" key"|" key set"|" key rm"|" key list"|" completion"|" help") path="$path $word" ;;
        esac
    done
    COMPREPLY=()
    case "$path $prev" in
        " --space") return ;;
        " --db") return ;;
        " add --split") COMPREPLY=($(compgen -W "line blank jsonl" -- "$cur")); return ;;
        " add --title"|" add -t") return ;;
        " add --label"|" add -l") return ;;
        " add --kind"|" add -k") return ;;
        " add --importance") return ;;
        " add --date") return ;;
        " add --project") return ;;
        " add --source") return ;;
        " add --request-id") return ;;
        " add --space") return ;;
        " add --db") return ;;
        " capture --thread") return ;;
        " capture --platform") return ;;
        " capture --chat-type") return ;;
        " capture --chat-name") return ;;
        " capture --bot-name") return ;;
        " capture --title"|" capture -t") return ;;
        " capture --project") return ;;
        " capture --request-id") return ;;
        " capture --form") COMPREPLY=($(compgen -W "json text" -- "$cur")); return ;;
        " capture --space") return ;;
        " capture --db") return ;;
        " search --mode"|" search -m") COMPREPLY=($(compgen -W "fast words meaning deep" -- "$cur")); return ;;
        " search --label"|" search -l") return ;;
        " search --kind"|" search -k") return ;;
        " search --layer") return ;;
        " search --project") return ;;
        " search --since") return ;;
        " search --until") return ;;
        " search --importance") return ;;
        " search --state") return ;;
        " search --limit"|" search -n") return ;;
        " search --offset") return ;;
        " search --space") return ;;
        " search --db") return ;;
        " show --space") return ;;
        " show --db") return ;;
        " list --label"|" list -l") return ;;
        " list --kind"|" list -k") return ;;
        " list --layer") return ;;
        " list --project") return ;;
        " list --since") return ;;
        " list --until") return ;;
        " list --importance") return ;;
        " list --state") return ;;
        " list --sort") COMPREPLY=($(compgen -W "created updated importance title" -- "$cur")); return ;;
        " list --limit"|" list -n") return ;;
        " list --offset") return ;;
        " list --space") return ;;
        " list --db") return ;;
        " ask --label"|" ask -l") return ;;
        " ask --project") return ;;
        " ask --since") return ;;
        " ask --until") return ;;
        " ask --limit"|" ask -n") return ;;
        " ask --space") return ;;
        " ask --db") return ;;
        " brief --date"|" brief -d") return ;;
        " brief --output"|" brief -o") return ;;
        " brief --space") return ;;
        " brief --db") return ;;
        " graph --depth") return ;;
        " graph --format") COMPREPLY=($(compgen -W "tree dot json mermaid" -- "$cur")); return ;;
        " graph --limit"|" graph -n") return ;;
        " graph --space") return ;;
        " graph --db") return ;;
        " tui --port") return ;;
        " tui --space") return ;;
        " tui --db") return ;;
        " pick --print") COMPREPLY=($(compgen -W "id text" -- "$cur")); return ;;
        " pick --space") return ;;
        " pick --db") return ;;
        " edit --content"|" edit -c") return ;;
        " edit --title"|" edit -t") return ;;
        " edit --kind"|" edit -k") return ;;
        " edit --date") return ;;
        " edit --expect") return ;;
        " edit --space") return ;;
        " edit --db") return ;;
        " set --importance") return ;;
        " set --project") return ;;
        " set --space") return ;;
        " set --db") return ;;
        " mv --space") return ;;
        " mv --db") return ;;
        " rm --space") return ;;
        " rm --db") return ;;
        " restore --space") return ;;
        " restore --db") return ;;
        " erase --space") return ;;
        " erase --db") return ;;
        " label add --space") return ;;
        " label add --db") return ;;
        " label rm --space") return ;;
        " label rm --db") return ;;
        " label rename --space") return ;;
        " label rename --db") return ;;
        " label list --project") return ;;
        " label list --kind"|" label list -k") return ;;
        " label list --since") return ;;
        " label list --until") return ;;
        " label list --space") return ;;
        " label list --db") return ;;
        " space new --reads") return ;;
        " space new --description") return ;;
        " space new --space") return ;;
        " space new --db") return ;;
        " space list --space") return ;;
        " space list --db") return ;;
        " space rename --space") return ;;
        " space rename --db") return ;;
        " space read --add") return ;;
        " space read --rm") return ;;
        " space read --space") return ;;
        " space read --db") return ;;
        " space merge --space") return ;;
        " space merge --db") return ;;
        " link --type"|" link -t") return ;;
        " link --space") return ;;
        " link --db") return ;;
        " unlink --type"|" unlink -t") return ;;
        " unlink --space") return ;;
        " unlink --db") return ;;
        " links --space") return ;;
        " links --db") return ;;
        " entity list --type"|" entity list -t") return ;;
        " entity list --limit"|" entity list -n") return ;;
        " entity list --offset") return ;;
        " entity list --space") return ;;
        " entity list --db") return ;;
        " entity show --limit"|" entity show -n") return ;;
        " entity show --space") return ;;
        " entity show --db") return ;;
        " entity merge --space") return ;;
        " entity merge --db") return ;;
        " entity alias --rm") return ;;
        " entity alias --space") return ;;
        " entity alias --db") return ;;
        " entity rename --type"|" entity rename -t") return ;;
        " entity rename --space") return ;;
        " entity rename --db") return ;;
        " entity split --space") return ;;
        " entity split --db") return ;;
        " entity rm --space") return ;;
        " entity rm --db") return ;;
        " thread list --platform") return ;;
        " thread list --project") return ;;
        " thread list --since") return ;;
        " thread list --until") return ;;
        " thread list --limit"|" thread list -n") return ;;
        " thread list --offset") return ;;
        " thread list --space") return ;;
        " thread list --db") return ;;
        " thread show --space") return ;;
        " thread show --db") return ;;
        " thread search --platform") return ;;
        " thread search --project") return ;;
        " thread search --since") return ;;
        " thread search --until") return ;;
        " thread search --limit"|" thread search -n") return ;;
        " thread search --space") return ;;
        " thread search --db") return ;;
        " thread rm --space") return ;;
        " thread rm --db") return ;;
        " thread export --format") COMPREPLY=($(compgen -W "markdown json" -- "$cur")); return ;;
        " thread export --space") return ;;
        " thread export --db") return ;;
        " judge --limit"|" judge -n") return ;;
        " judge --budget") return ;;
        " judge --overturn") return ;;
        " judge --space") return ;;
        " judge --db") return ;;
        " digest --steps") return ;;
        " digest --budget") return ;;
        " digest --since") return ;;
        " digest --space") return ;;
        " digest --db") return ;;
        " distill --since") return ;;
        " distill --until") return ;;
        " distill --project") return ;;
        " distill --level") COMPREPLY=($(compgen -W "swift guided full" -- "$cur")); return ;;
        " distill --limit"|" distill -n") return ;;
        " distill --space") return ;;
        " distill --db") return ;;
        " review --keep") COMPREPLY=($(compgen -W "new old both" -- "$cur")); return ;;
        " review --merge") return ;;
        " review --note") return ;;
        " review --against") return ;;
        " review --limit"|" review -n") return ;;
        " review --space") return ;;
        " review --db") return ;;
        " profile --subject") return ;;
        " profile --space") return ;;
        " profile --db") return ;;
        " persona --text") return ;;
        " persona --space") return ;;
        " persona --db") return ;;
        " useful --space") return ;;
        " useful --db") return ;;
        " useless --space") return ;;
        " useless --db") return ;;
        " rulings --limit"|" rulings -n") return ;;
        " rulings --offset") return ;;
        " rulings --space") return ;;
        " rulings --db") return ;;
        " why --space") return ;;
        " why --db") return ;;
        " evolves --space") return ;;
        " evolves --db") return ;;
        " queue --space") return ;;
        " queue --db") return ;;
        " history --space") return ;;
        " history --db") return ;;
        " log --item") return ;;
        " log --limit"|" log -n") return ;;
        " log --offset") return ;;
        " log --space") return ;;
        " log --db") return ;;
        " undo --space") return ;;
        " undo --db") return ;;
        " redo --space") return ;;
        " redo --db") return ;;
        " import --importer") return ;;
        " import --option"|" import -o") return ;;
        " import --as") return ;;
        " import --label"|" import -l") return ;;
        " import --since") return ;;
        " import --project") return ;;
        " import --limit"|" import -n") return ;;
        " import --space") return ;;
        " import --db") return ;;
        " export --format") COMPREPLY=($(compgen -W "jsonl markdown" -- "$cur")); return ;;
        " export --label"|" export -l") return ;;
        " export --kind"|" export -k") return ;;
        " export --layer") return ;;
        " export --project") return ;;
        " export --since") return ;;
        " export --until") return ;;
        " export --only") return ;;
        " export --space") return ;;
        " export --db") return ;;
        " index --space") return ;;
        " index --db") return ;;
        " stats --space") return ;;
        " stats --db") return ;;
        " doctor --space") return ;;
        " doctor --db") return ;;
        " schedule install --at") return ;;
        " schedule install --with") COMPREPLY=($(compgen -W "systemd launchd cron" -- "$cur")); return ;;
        " schedule install --space") return ;;
        " schedule install --db") return ;;
        " schedule show --space") return ;;
        " schedule show --db") return ;;
        " schedule remove --space") return ;;
        " schedule remove --db") return ;;
        " config show --space") return ;;
        " config show --db") return ;;
        " config get --space") return ;;
        " config get --db") return ;;
        " config set --space") return ;;
        " config set --db") return ;;
        " config unset --space") return ;;
        " config unset --db") return ;;
        " config path --space") return ;;
        " config path --db") return ;;
        " key set --space") return ;;
        " key set --db") return ;;
        " key rm --space") return ;;
        " key rm --db") return ;;
        " key list --space") return ;;
        " key list --db") return ;;
        " completion --space") return ;;
        " completion --db") return ;;
        " help --space") return ;;
        " help --db") return ;;
    esac
    case $path in
        "") case $cur in
            -*) COMPREPLY=($(compgen -W "--version --json --ndjson --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
            *) COMPREPLY=($(compgen -W "add capture search show list ask brief graph tui pick edit set mv rm restore erase label space link unlink links entity thread judge digest distill review profile persona useful useless rulings why evolves queue history log undo redo import export index stats doctor schedule config key completion help" -- "$cur")) ;;
        esac ;;
        " add") case $cur in
            -*) COMPREPLY=($(compgen -W "--split --title -t --label -l --kind -k --importance --date --project --source --request-id --again --json --ndjson --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " capture") case $cur in
            -*) COMPREPLY=($(compgen -W "--thread --whole --platform --chat-type --chat-name --bot-name --title -t --project --request-id --form --json --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " search") case $cur in
            -*) COMPREPLY=($(compgen -W "--mode -m --exact -e --label -l --kind -k --layer --project --here --since --until --importance --state --pinned --limit -n --offset --explain --json --ndjson --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " show") case $cur in
            -*) COMPREPLY=($(compgen -W "--json --ndjson --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " list") case $cur in
            -*) COMPREPLY=($(compgen -W "--label -l --kind -k --layer --project --here --since --until --importance --state --pinned --sort --reverse -r --limit -n --offset --json --ndjson --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " ask") case $cur in
            -*) COMPREPLY=($(compgen -W "--label -l --project --here --since --until --limit -n --no-model --json --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " brief") case $cur in
            -*) COMPREPLY=($(compgen -W "--date -d --again --output -o --no-model --json --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " graph") case $cur in
            -*) COMPREPLY=($(compgen -W "--depth --format --limit -n --json --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " tui") case $cur in
            -*) COMPREPLY=($(compgen -W "--web --port --no-open --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " pick") case $cur in
            -*) COMPREPLY=($(compgen -W "--multi --no-multi --print --json --ndjson --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " edit") case $cur in
            -*) COMPREPLY=($(compgen -W "--content -c --title -t --kind -k --date --expect --json --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " set") case $cur in
            -*) COMPREPLY=($(compgen -W "--importance --pin --unpin --archive --unarchive --project --json --ndjson --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " mv") case $cur in
            -*) COMPREPLY=($(compgen -W "--json --ndjson --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " rm") case $cur in
            -*) COMPREPLY=($(compgen -W "--json --ndjson --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " restore") case $cur in
            -*) COMPREPLY=($(compgen -W "--json --ndjson --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " erase") case $cur in
            -*) COMPREPLY=($(compgen -W "--yes -y --json --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " label") case $cur in
            -*) COMPREPLY=($(compgen -W "--help -h" -- "$cur")) ;;
            *) COMPREPLY=($(compgen -W "add rm rename list" -- "$cur")) ;;
        esac ;;
        " label add") case $cur in
            -*) COMPREPLY=($(compgen -W "--json --ndjson --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " label rm") case $cur in
            -*) COMPREPLY=($(compgen -W "--json --ndjson --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " label rename") case $cur in
            -*) COMPREPLY=($(compgen -W "--json --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " label list") case $cur in
            -*) COMPREPLY=($(compgen -W "--project --here --kind -k --since --until --json --ndjson --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " space") case $cur in
            -*) COMPREPLY=($(compgen -W "--help -h" -- "$cur")) ;;
            *) COMPREPLY=($(compgen -W "new list rename read merge" -- "$cur")) ;;
        esac ;;
        " space new") case $cur in
            -*) COMPREPLY=($(compgen -W "--reads --description --json --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " space list") case $cur in
            -*) COMPREPLY=($(compgen -W "--json --ndjson --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " space rename") case $cur in
            -*) COMPREPLY=($(compgen -W "--json --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " space read") case $cur in
            -*) COMPREPLY=($(compgen -W "--add --rm --json --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " space merge") case $cur in
            -*) COMPREPLY=($(compgen -W "--json --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " link") case $cur in
            -*) COMPREPLY=($(compgen -W "--type -t --json --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " unlink") case $cur in
            -*) COMPREPLY=($(compgen -W "--type -t --json --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " links") case $cur in
            -*) COMPREPLY=($(compgen -W "--json --ndjson --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " entity") case $cur in
            -*) COMPREPLY=($(compgen -W "--help -h" -- "$cur")) ;;
            *) COMPREPLY=($(compgen -W "list show merge alias rename split rm" -- "$cur")) ;;
        esac ;;
        " entity list") case $cur in
            -*) COMPREPLY=($(compgen -W "--type -t --all --limit -n --offset --json --ndjson --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " entity show") case $cur in
            -*) COMPREPLY=($(compgen -W "--limit -n --json --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " entity merge") case $cur in
            -*) COMPREPLY=($(compgen -W "--json --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " entity alias") case $cur in
            -*) COMPREPLY=($(compgen -W "--rm --json --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " entity rename") case $cur in
            -*) COMPREPLY=($(compgen -W "--type -t --json --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " entity split") case $cur in
            -*) COMPREPLY=($(compgen -W "--json --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " entity rm") case $cur in
            -*) COMPREPLY=($(compgen -W "--json --ndjson --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " thread") case $cur in
            -*) COMPREPLY=($(compgen -W "--help -h" -- "$cur")) ;;
            *) COMPREPLY=($(compgen -W "list show search rm export" -- "$cur")) ;;
        esac ;;
        " thread list") case $cur in
            -*) COMPREPLY=($(compgen -W "--platform --project --here --since --until --limit -n --offset --json --ndjson --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " thread show") case $cur in
            -*) COMPREPLY=($(compgen -W "--json --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " thread search") case $cur in
            -*) COMPREPLY=($(compgen -W "--exact -e --platform --project --here --since --until --limit -n --json --ndjson --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " thread rm") case $cur in
            -*) COMPREPLY=($(compgen -W "--json --ndjson --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " thread export") case $cur in
            -*) COMPREPLY=($(compgen -W "--format --force --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " judge") case $cur in
            -*) COMPREPLY=($(compgen -W "--dry-run --limit -n --budget --overturn --json --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " digest") case $cur in
            -*) COMPREPLY=($(compgen -W "--dry-run --steps --budget --since --scheduled --json --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " distill") case $cur in
            -*) COMPREPLY=($(compgen -W "--since --until --project --here --level --dry-run --force --yes -y --limit -n --json --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " review") case $cur in
            -*) COMPREPLY=($(compgen -W "--keep --merge --note --against --limit -n --json --ndjson --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " profile") case $cur in
            -*) COMPREPLY=($(compgen -W "--subject --history --json --ndjson --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " persona") case $cur in
            -*) COMPREPLY=($(compgen -W "--text --banned --json --ndjson --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " useful") case $cur in
            -*) COMPREPLY=($(compgen -W "--clear --json --ndjson --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " useless") case $cur in
            -*) COMPREPLY=($(compgen -W "--clear --json --ndjson --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " rulings") case $cur in
            -*) COMPREPLY=($(compgen -W "--limit -n --offset --json --ndjson --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " why") case $cur in
            -*) COMPREPLY=($(compgen -W "--json --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " evolves") case $cur in
            -*) COMPREPLY=($(compgen -W "--json --ndjson --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " queue") case $cur in
            -*) COMPREPLY=($(compgen -W "--json --ndjson --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " history") case $cur in
            -*) COMPREPLY=($(compgen -W "--json --ndjson --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " log") case $cur in
            -*) COMPREPLY=($(compgen -W "--item --limit -n --offset --json --ndjson --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " undo") case $cur in
            -*) COMPREPLY=($(compgen -W "--force --json --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " redo") case $cur in
            -*) COMPREPLY=($(compgen -W "--force --json --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " import") case $cur in
            -*) COMPREPLY=($(compgen -W "--all --dry-run --importer --option -o --importers --as --label -l --since --project --limit -n --agents --prune --theirs --ours --force --no-index --watch --json --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " export") case $cur in
            -*) COMPREPLY=($(compgen -W "--format --plain --label -l --kind -k --layer --project --here --since --until --only --force --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " index") case $cur in
            -*) COMPREPLY=($(compgen -W "--json --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " stats") case $cur in
            -*) COMPREPLY=($(compgen -W "--llm --json --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " doctor") case $cur in
            -*) COMPREPLY=($(compgen -W "--deep --rebuild --json --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " schedule") case $cur in
            -*) COMPREPLY=($(compgen -W "--help -h" -- "$cur")) ;;
            *) COMPREPLY=($(compgen -W "install show remove" -- "$cur")) ;;
        esac ;;
        " schedule install") case $cur in
            -*) COMPREPLY=($(compgen -W "--at --with --print --yes -y --json --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " schedule show") case $cur in
            -*) COMPREPLY=($(compgen -W "--json --ndjson --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " schedule remove") case $cur in
            -*) COMPREPLY=($(compgen -W "--yes -y --json --ndjson --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " config") case $cur in
            -*) COMPREPLY=($(compgen -W "--help -h" -- "$cur")) ;;
            *) COMPREPLY=($(compgen -W "show get set unset path" -- "$cur")) ;;
        esac ;;
        " config show") case $cur in
            -*) COMPREPLY=($(compgen -W "--json --ndjson --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " config get") case $cur in
            -*) COMPREPLY=($(compgen -W "--json --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " config set") case $cur in
            -*) COMPREPLY=($(compgen -W "--json --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " config unset") case $cur in
            -*) COMPREPLY=($(compgen -W "--json --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " config path") case $cur in
            -*) COMPREPLY=($(compgen -W "--space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " key") case $cur in
            -*) COMPREPLY=($(compgen -W "--help -h" -- "$cur")) ;;
            *) COMPREPLY=($(compgen -W "set rm list" -- "$cur")) ;;
        esac ;;
        " key set") case $cur in
            -*) COMPREPLY=($(compgen -W "--space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " key rm") case $cur in
            -*) COMPREPLY=($(compgen -W "--space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " key list") case $cur in
            -*) COMPREPLY=($(compgen -W "--json --ndjson --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " completion") case $cur in
            -*) COMPREPLY=($(compgen -W "--keys --space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
        " help") case $cur in
            -*) COMPREPLY=($(compgen -W "--space --db --quiet -q --no-color --debug --help -h" -- "$cur")) ;;
        esac ;;
    esac
}
complete -o bashdefault -o default -F _mh mh memhub
