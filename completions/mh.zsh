#compdef mh memhub
# Made by `mh completion zsh`; do not edit.
_mh() {
    local curcontext=$curcontext state line
    local -a commands=('add:Remember a text, or every record of standard input.' 'capture:Keep a conversation, or one turn of it, from stdin.' 'search:Find items by words and by meaning.' 'show:Show items in full.' 'list:List items, newest first.' 'ask:Answer a question from what you kept, with the sources of each sentence.' 'brief:Show the page of a day: focus, dues, open ends, old things.' 'graph:Show how things hang together: links, conversations, sources, names.' 'tui:Browse and edit everything with the keyboard.' 'pick:Choose items from a list below the prompt, and print their ids.' 'edit:Change the text of an item, in the editor or by options.' 'set:Set importance, pin, archive or project of items.' 'mv:Move items into another space.' 'rm:Drop items; `mh restore` brings them back.' 'restore:Bring dropped items back.' 'erase:Remove items and their history for good.' 'label:Add, remove, rename and list labels.' 'space:Make, list, rename, connect and merge spaces.' 'link:Link two items.' 'unlink:Remove a link between two items.' 'links:List the links of an item.' 'entity:List, name and merge who and what items speak of.' 'thread:List, show, search, remove and export conversations.' 'judge:Compare what is new with what is known.' 'digest:Find what many items have in common.' 'distill:Draw what is worth keeping from conversations.' 'review:Settle what needs a person: contradictions, forks, doubts.' 'profile:Show what holds now about you and others.' 'persona:Show what mh believes about you; pin, correct or ban it.' 'useful:Say that items are of use; they stay present longer.' 'useless:Say that items are of no use; they fade sooner.' 'rulings:List what was ruled, newest first.' 'why:Say what speaks for an item: the words it came from, rulings, links.' 'evolves:Show how a statement changed over time, oldest first.' 'queue:List what waits to be judged.' 'history:Show every version of an item and what changed.' 'log:List operations, newest first.' 'undo:Take back the last operation, or a named one.' 'redo:Take back an undo.' 'import:Bring in notes, files, AI sessions or an export.' 'export:Write everything as JSON Lines, or as a folder of Markdown.' 'index:Compute the vectors that are still pending.' 'stats:Count what is stored.' 'doctor:Check the file, and rebuild what can be rebuilt.' 'schedule:Run mh digest every day by systemd, launchd or cron.' 'config:Show and change settings.' 'key:Store keys of services in the keyring.' 'completion:Print the completion script of a shell, or its key bindings.' 'help:Show help on a command or a topic.')
    _arguments -C \
        '*--version[Print the version.]' \
        '*--json[Answer with one JSON document.]' \
        '*--ndjson[Answer with one JSON record a line.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '1: :->command' \
        '*:: :->rest'
    case $state in
        command) _describe command commands ;;
        rest) case $line[1] in add|capture|search|show|list|ask|brief|graph|tui|pick|edit|set|mv|rm|restore|erase|label|space|link|unlink|links|entity|thread|judge|digest|distill|review|profile|persona|useful|useless|rulings|why|evolves|queue|history|log|undo|redo|import|export|index|stats|doctor|schedule|config|key|completion|help) _mh__${line[1]//-/_} ;; esac ;;
    esac
}
_mh__add() {
    _arguments -s -S \
        '*--split[Cut stdin into notes.]:value:(line blank jsonl)' \
        '*'{--title,-t}'[A title.]:value:' \
        '*'{--label,-l}'[A label; repeatable.]:value:' \
        '*'{--kind,-k}'[note, fact, event, intent, procedure or document.]:value:' \
        '*--importance[From 0 to 1.]:value:' \
        '*--date[When it was\: 2026-02-10, yesterday.]:value:' \
        '*--project[The project it belongs to.]:value:' \
        '*--source[Where it came from.]:value:' \
        '*--request-id[Adding again with this id changes nothing.]:value:' \
        '*--again[Add even what was just added.]' \
        '*--json[Answer with one JSON document.]' \
        '*--ndjson[Answer with one JSON record a line.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__capture() {
    _arguments -s -S \
        '*--thread[Go on with this conversation, or begin it.]:value:' \
        '*--whole[These are all messages of it so far.]' \
        '*--platform[telegram, slack …]:value:' \
        '*--chat-type[group, private …]:value:' \
        '*--chat-name[What the chat is called.]:value:' \
        '*--bot-name[The speaker who is the assistant.]:value:' \
        '*'{--title,-t}'[A title.]:value:' \
        '*--project[The project it belongs to.]:value:' \
        '*--request-id[Capturing again with this id changes nothing.]:value:' \
        '*--form[json or text; whichever it is if not given.]:value:(json text)' \
        '*--json[Answer with one JSON document.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__search() {
    _arguments -s -S \
        '*'{--mode,-m}'[words, meaning, fast for both, or deep\: every way.]:value:(fast words meaning deep)' \
        '*'{--exact,-e}'[Items that hold the query letter by letter.]' \
        '*'{--label,-l}'[With this label; repeatable.]:value:' \
        '*'{--kind,-k}'[Of this kind; repeatable.]:value:' \
        '*--layer[Of this layer\: L0 to L3.]:value:' \
        '*--project[Of this project.]:value:' \
        '*--here[Of the project of the current folder.]' \
        '*--since[From this day on\: 2026-02-10, 2026-02, 3d.]:value:' \
        '*--until[Up to and including this day.]:value:' \
        '*--importance[At least this, from 0 to 1.]:value:' \
        '*--state[live, replaced, duplicate, archived, dropped or all.]:value:' \
        '*--pinned[Pinned ones alone (`mh set --pin`).]' \
        '*'{--limit,-n}'[At most N; 0 for all.]:value:' \
        '*--offset[Leave out the first N.]:value:' \
        '*--explain[Say which ways found each hit, and how.]' \
        '*--json[Answer with one JSON document.]' \
        '*--ndjson[Answer with one JSON record a line.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__show() {
    _arguments -s -S \
        '*--json[Answer with one JSON document.]' \
        '*--ndjson[Answer with one JSON record a line.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__list() {
    _arguments -s -S \
        '*'{--label,-l}'[With this label; repeatable.]:value:' \
        '*'{--kind,-k}'[Of this kind; repeatable.]:value:' \
        '*--layer[Of this layer\: L0 to L3.]:value:' \
        '*--project[Of this project.]:value:' \
        '*--here[Of the project of the current folder.]' \
        '*--since[From this day on\: 2026-02-10, 2026-02, 3d.]:value:' \
        '*--until[Up to and including this day.]:value:' \
        '*--importance[At least this, from 0 to 1.]:value:' \
        '*--state[live, replaced, duplicate, archived, dropped or all.]:value:' \
        '*--pinned[Pinned ones alone (`mh set --pin`).]' \
        '*--sort[What to order by.]:value:(created updated importance title)' \
        '*'{--reverse,-r}'[Turn the order round.]' \
        '*'{--limit,-n}'[At most N; 0 for all.]:value:' \
        '*--offset[Leave out the first N.]:value:' \
        '*--json[Answer with one JSON document.]' \
        '*--ndjson[Answer with one JSON record a line.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__ask() {
    _arguments -s -S \
        '*'{--label,-l}'[With this label; repeatable.]:value:' \
        '*--project[Of this project.]:value:' \
        '*--here[Of the project of the current folder.]' \
        '*--since[From this day on\: 2026-02-10, 2026-02, 3d.]:value:' \
        '*--until[Up to and including this day.]:value:' \
        '*'{--limit,-n}'[Look at the best N.]:value:' \
        '*--no-model[Only show what was found.]' \
        '*--json[Answer with one JSON document.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__brief() {
    _arguments -s -S \
        '*'{--date,-d}'[The page of this day\: 2026-02-10, yesterday, 3d.]:value:' \
        '*--again[Write it again; what you edited stays.]' \
        '*'{--output,-o}'[Write the Markdown into this file.]:file:_files' \
        '*--no-model[Make it without a language model.]' \
        '*--json[Answer with one JSON document.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__graph() {
    _arguments -s -S \
        '*--depth[How many steps to go.]:value:' \
        '*--format[How to draw it.]:value:(tree dot json mermaid)' \
        '*'{--limit,-n}'[At most N neighbours of each; 0 for all.]:value:' \
        '*--json[Answer with one JSON document.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__tui() {
    _arguments -s -S \
        '*--web[In a browser on this machine, until Ctrl-C.]' \
        '*--port[With --web\: listen on this port.]:value:' \
        '*--no-open[With --web\: print the link and open nothing.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__pick() {
    _arguments -s -S \
        '*'{--multi,--no-multi}'[Whether Tab marks several.]' \
        '*--print[What to print of each item\: id or text.]:value:(id text)' \
        '*--json[Answer with one JSON document.]' \
        '*--ndjson[Answer with one JSON record a line.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__edit() {
    _arguments -s -S \
        '*'{--content,-c}'[The text, or - for stdin.]:value:' \
        '*'{--title,-t}'[The title; empty for none.]:value:' \
        '*'{--kind,-k}'[The kind.]:value:' \
        '*--date[When it was; empty for unknown.]:value:' \
        '*--expect[Refuse when this is no longer the version.]:value:' \
        '*--json[Answer with one JSON document.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__set() {
    _arguments -s -S \
        '*--importance[From 0 to 1, or none.]:value:' \
        '*'{--pin,--unpin}'[Mark for `mh list --pinned`, or no longer.]' \
        '*'{--archive,--unarchive}'[Out of default reads, or back.]' \
        '*--project[The project, or none.]:value:' \
        '*--json[Answer with one JSON document.]' \
        '*--ndjson[Answer with one JSON record a line.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__mv() {
    _arguments -s -S \
        '*--json[Answer with one JSON document.]' \
        '*--ndjson[Answer with one JSON record a line.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__rm() {
    _arguments -s -S \
        '*--json[Answer with one JSON document.]' \
        '*--ndjson[Answer with one JSON record a line.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__restore() {
    _arguments -s -S \
        '*--json[Answer with one JSON document.]' \
        '*--ndjson[Answer with one JSON record a line.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__erase() {
    _arguments -s -S \
        '*'{--yes,-y}'[Do not ask.]' \
        '*--json[Answer with one JSON document.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__label() {
    local curcontext=$curcontext state line
    local -a commands=('add:Give an item labels; with - every item named on stdin.' 'rm:Take labels off an item; with - off every item named on stdin.' 'rename:Rename a label on every item.' 'list:List labels, with how many items carry each.')
    _arguments -C \
        '*'{--help,-h}'[Show this message and exit.]' \
        '1: :->command' \
        '*:: :->rest'
    case $state in
        command) _describe command commands ;;
        rest) case $line[1] in add|rm|rename|list) _mh__label__${line[1]//-/_} ;; esac ;;
    esac
}
_mh__label__add() {
    _arguments -s -S \
        '*--json[Answer with one JSON document.]' \
        '*--ndjson[Answer with one JSON record a line.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__label__rm() {
    _arguments -s -S \
        '*--json[Answer with one JSON document.]' \
        '*--ndjson[Answer with one JSON record a line.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__label__rename() {
    _arguments -s -S \
        '*--json[Answer with one JSON document.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__label__list() {
    _arguments -s -S \
        '*--project[Of this project.]:value:' \
        '*--here[Of the project of the current folder.]' \
        '*'{--kind,-k}'[Of this kind; repeatable.]:value:' \
        '*--since[From this day on\: 2026-02-10, 2026-02, 3d.]:value:' \
        '*--until[Up to and including this day.]:value:' \
        '*--json[Answer with one JSON document.]' \
        '*--ndjson[Answer with one JSON record a line.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__space() {
    local curcontext=$curcontext state line
    local -a commands=('new:Make a space.' 'list:List the spaces and how many items each holds.' 'rename:Rename a space.' 'read:Say which other spaces a space reads.' 'merge:Merge one space into another; the old name stays as an alias.')
    _arguments -C \
        '*'{--help,-h}'[Show this message and exit.]' \
        '1: :->command' \
        '*:: :->rest'
    case $state in
        command) _describe command commands ;;
        rest) case $line[1] in new|list|rename|read|merge) _mh__space__${line[1]//-/_} ;; esac ;;
    esac
}
_mh__space__new() {
    _arguments -s -S \
        '*--reads[May read this one too.]:value:' \
        '*--description[What it is for.]:value:' \
        '*--json[Answer with one JSON document.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__space__list() {
    _arguments -s -S \
        '*--json[Answer with one JSON document.]' \
        '*--ndjson[Answer with one JSON record a line.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__space__rename() {
    _arguments -s -S \
        '*--json[Answer with one JSON document.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__space__read() {
    _arguments -s -S \
        '*--add[Let it read this space.]:value:' \
        '*--rm[No longer this one.]:value:' \
        '*--json[Answer with one JSON document.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__space__merge() {
    _arguments -s -S \
        '*--json[Answer with one JSON document.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__link() {
    _arguments -s -S \
        '*'{--type,-t}'[What the link means.]:value:' \
        '*--json[Answer with one JSON document.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__unlink() {
    _arguments -s -S \
        '*'{--type,-t}'[This type only.]:value:' \
        '*--json[Answer with one JSON document.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__links() {
    _arguments -s -S \
        '*--json[Answer with one JSON document.]' \
        '*--ndjson[Answer with one JSON record a line.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__entity() {
    local curcontext=$curcontext state line
    local -a commands=('list:List who and what your items speak of, the most spoken of first.' 'show:Show an entity: its names, relations and the newest items that speak of it.' 'merge:Make two entities one; the name of the first becomes an alias.' 'alias:Give an entity other names, or take some away.' 'rename:Give an entity another name or type.' 'split:Take one of its names away and make an entity of it; a merge comes apart again.' 'rm:Forget entities; the items that speak of them stay. `mh undo` takes it back.')
    _arguments -C \
        '*'{--help,-h}'[Show this message and exit.]' \
        '1: :->command' \
        '*:: :->rest'
    case $state in
        command) _describe command commands ;;
        rest) case $line[1] in list|show|merge|alias|rename|split|rm) _mh__entity__${line[1]//-/_} ;; esac ;;
    esac
}
_mh__entity__list() {
    _arguments -s -S \
        '*'{--type,-t}'[person, place, tool …]:value:' \
        '*--all[First look through all that is new, also by a model if there is one.]' \
        '*'{--limit,-n}'[At most N; 0 for all.]:value:' \
        '*--offset[Leave out the first N.]:value:' \
        '*--json[Answer with one JSON document.]' \
        '*--ndjson[Answer with one JSON record a line.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__entity__show() {
    _arguments -s -S \
        '*'{--limit,-n}'[At most N; 0 for all.]:value:' \
        '*--json[Answer with one JSON document.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__entity__merge() {
    _arguments -s -S \
        '*--json[Answer with one JSON document.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__entity__alias() {
    _arguments -s -S \
        '*--rm[No longer this one.]:value:' \
        '*--json[Answer with one JSON document.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__entity__rename() {
    _arguments -s -S \
        '*'{--type,-t}'[What it is.]:value:' \
        '*--json[Answer with one JSON document.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__entity__split() {
    _arguments -s -S \
        '*--json[Answer with one JSON document.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__entity__rm() {
    _arguments -s -S \
        '*--json[Answer with one JSON document.]' \
        '*--ndjson[Answer with one JSON record a line.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__thread() {
    local curcontext=$curcontext state line
    local -a commands=('list:List conversations, newest first.' 'show:Show a conversation turn by turn.' 'search:Find conversations by what was said in them.' 'rm:Remove conversations with all their turns.' 'export:Write a conversation as Markdown or JSON.')
    _arguments -C \
        '*'{--help,-h}'[Show this message and exit.]' \
        '1: :->command' \
        '*:: :->rest'
    case $state in
        command) _describe command commands ;;
        rest) case $line[1] in list|show|search|rm|export) _mh__thread__${line[1]//-/_} ;; esac ;;
    esac
}
_mh__thread__list() {
    _arguments -s -S \
        '*--platform[Of this platform or tool\: telegram, codex.]:value:' \
        '*--project[Of this project.]:value:' \
        '*--here[Of the project of the current folder.]' \
        '*--since[From this day on\: 2026-02-10, 2026-02, 3d.]:value:' \
        '*--until[Up to and including this day.]:value:' \
        '*'{--limit,-n}'[At most N; 0 for all.]:value:' \
        '*--offset[Leave out the first N.]:value:' \
        '*--json[Answer with one JSON document.]' \
        '*--ndjson[Answer with one JSON record a line.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__thread__show() {
    _arguments -s -S \
        '*--json[Answer with one JSON document.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__thread__search() {
    _arguments -s -S \
        '*'{--exact,-e}'[Turns that hold the query letter by letter.]' \
        '*--platform[Of this platform or tool\: telegram, codex.]:value:' \
        '*--project[Of this project.]:value:' \
        '*--here[Of the project of the current folder.]' \
        '*--since[From this day on\: 2026-02-10, 2026-02, 3d.]:value:' \
        '*--until[Up to and including this day.]:value:' \
        '*'{--limit,-n}'[At most N; 0 for all.]:value:' \
        '*--json[Answer with one JSON document.]' \
        '*--ndjson[Answer with one JSON record a line.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__thread__rm() {
    _arguments -s -S \
        '*--json[Answer with one JSON document.]' \
        '*--ndjson[Answer with one JSON record a line.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__thread__export() {
    _arguments -s -S \
        '*--format[markdown or json; by the name of FILE, else markdown.]:value:(markdown json)' \
        '*--force[Overwrite the file when it exists.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*:file:_files'
}
_mh__judge() {
    _arguments -s -S \
        '*--dry-run[Say what would happen; change nothing.]' \
        '*'{--limit,-n}'[At most N notes and threads; 0 for all.]:value:' \
        '*--budget[Stop asking the model after so many tokens.]:value:' \
        '*--overturn[Take back what was ruled; mh rulings lists it.]:value:' \
        '*--json[Answer with one JSON document.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__digest() {
    _arguments -s -S \
        '*--dry-run[Say what would happen; change nothing.]' \
        '*--steps[These steps alone, with commas between them.]:value:' \
        '*--budget[Stop asking the model after so many tokens.]:value:' \
        '*--since[Look again at what changed from this day on.]:value:' \
        '*--scheduled[Run by a schedule, not by hand\: a plain mh undo passes it over.]' \
        '*--json[Answer with one JSON document.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__distill() {
    _arguments -s -S \
        '*--since[From this day on\: 2026-02-10, 2026-02, 3d.]:value:' \
        '*--until[Up to and including this day.]:value:' \
        '*--project[Of this project.]:value:' \
        '*--here[Of the project of the current folder.]' \
        '*--level[swift\: rules; guided\: a model, shown before saving; full\: a model, saved.]:value:(swift guided full)' \
        '*--dry-run[Say what would happen; change nothing.]' \
        '*--force[Take also what does not look worth it.]' \
        '*'{--yes,-y}'[Save what guided shows without asking.]' \
        '*'{--limit,-n}'[At most N that are worth it; 0 for all.]:value:' \
        '*--json[Answer with one JSON document.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__review() {
    _arguments -s -S \
        '*--keep[What holds.]:value:(new old both)' \
        '*--merge[One text in place of both; - for stdin.]:value:' \
        '*--note[A word on it; it stays open.]:value:' \
        '*--against[The other one, where there are several.]:value:' \
        '*'{--limit,-n}'[At most N; 0 for all.]:value:' \
        '*--json[Answer with one JSON document.]' \
        '*--ndjson[Answer with one JSON record a line.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__profile() {
    _arguments -s -S \
        '*--subject[About this person alone; `user` is yourself.]:value:' \
        '*--history[With what held before.]' \
        '*--json[Answer with one JSON document.]' \
        '*--ndjson[Answer with one JSON record a line.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__persona() {
    _arguments -s -S \
        '*--text[With correct\: what is right.]:value:' \
        '*--banned[List what was banned.]' \
        '*--json[Answer with one JSON document.]' \
        '*--ndjson[Answer with one JSON record a line.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__useful() {
    _arguments -s -S \
        '*--clear[Take back what was said.]' \
        '*--json[Answer with one JSON document.]' \
        '*--ndjson[Answer with one JSON record a line.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__useless() {
    _arguments -s -S \
        '*--clear[Take back what was said.]' \
        '*--json[Answer with one JSON document.]' \
        '*--ndjson[Answer with one JSON record a line.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__rulings() {
    _arguments -s -S \
        '*'{--limit,-n}'[At most N; 0 for all.]:value:' \
        '*--offset[Leave out the first N.]:value:' \
        '*--json[Answer with one JSON document.]' \
        '*--ndjson[Answer with one JSON record a line.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__why() {
    _arguments -s -S \
        '*--json[Answer with one JSON document.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__evolves() {
    _arguments -s -S \
        '*--json[Answer with one JSON document.]' \
        '*--ndjson[Answer with one JSON record a line.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__queue() {
    _arguments -s -S \
        '*--json[Answer with one JSON document.]' \
        '*--ndjson[Answer with one JSON record a line.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__history() {
    _arguments -s -S \
        '*--json[Answer with one JSON document.]' \
        '*--ndjson[Answer with one JSON record a line.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__log() {
    _arguments -s -S \
        '*--item[Operations that touched this item.]:value:' \
        '*'{--limit,-n}'[At most N; 0 for all.]:value:' \
        '*--offset[Leave out the first N.]:value:' \
        '*--json[Answer with one JSON document.]' \
        '*--ndjson[Answer with one JSON record a line.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__undo() {
    _arguments -s -S \
        '*--force[Even when later operations touched the same items.]' \
        '*--json[Answer with one JSON document.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__redo() {
    _arguments -s -S \
        '*--force[Even when later operations touched the same items.]' \
        '*--json[Answer with one JSON document.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__import() {
    _arguments -s -S \
        '*--all[All that mh import finds in the usual places.]' \
        '*--dry-run[Say what would happen; change nothing.]' \
        '*--importer[Read the source with this importer.]:value:' \
        '*'{--option,-o}'[Tell the importer something; it is remembered.]:value:' \
        '*--importers[List the importers and their options.]' \
        '*--as[Know this source by another name.]:value:' \
        '*'{--label,-l}'[Label what comes in.]:value:' \
        '*--since[Only conversations that went on after this day.]:value:' \
        '*--project[Only conversations of it.]:value:' \
        '*'{--limit,-n}'[At most N conversations.]:value:' \
        '*--agents[Conversations of sub-agents too.]' \
        '*--prune[Drop items whose file is gone.]' \
        '*--theirs[Where both changed, take the file.]' \
        '*--ours[Where both changed, keep what is here.]' \
        '*--force[Of a damaged export, take what is good.]' \
        '*--no-index[Leave the vectors to mh index and to searches.]' \
        '*--watch[Go on\: bring in what is new as it is written.]' \
        '*--json[Answer with one JSON document.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__export() {
    _arguments -s -S \
        '*--format[jsonl\: everything, lossless; markdown\: a folder of notes.]:value:(jsonl markdown)' \
        '*--plain[Markdown without front matter; cannot be taken back.]' \
        '*'{--label,-l}'[With this label; repeatable.]:value:' \
        '*'{--kind,-k}'[Of this kind; repeatable.]:value:' \
        '*--layer[Of this layer\: L0 to L3.]:value:' \
        '*--project[Of this project.]:value:' \
        '*--here[Of the project of the current folder.]' \
        '*--since[From this day on\: 2026-02-10, 2026-02, 3d.]:value:' \
        '*--until[Up to and including this day.]:value:' \
        '*--only[Only this item; repeatable, - for ids on stdin.]:value:' \
        '*--force[Overwrite what exists.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*:file:_files'
}
_mh__index() {
    _arguments -s -S \
        '*--json[Answer with one JSON document.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__stats() {
    _arguments -s -S \
        '*--llm[What language models took\: calls, tokens, cost.]' \
        '*--json[Answer with one JSON document.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__doctor() {
    _arguments -s -S \
        '*--deep[Check every index and the hash of every text too; reads it all.]' \
        '*--rebuild[Rebuild what is derived from the log.]' \
        '*--json[Answer with one JSON document.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__schedule() {
    local curcontext=$curcontext state line
    local -a commands=('install:Run mh digest every day; what is written is shown first.' 'show:Show what runs mh digest, as it stands there.' 'remove:Take the schedule away, and nothing else.')
    _arguments -C \
        '*'{--help,-h}'[Show this message and exit.]' \
        '1: :->command' \
        '*:: :->rest'
    case $state in
        command) _describe command commands ;;
        rest) case $line[1] in install|show|remove) _mh__schedule__${line[1]//-/_} ;; esac ;;
    esac
}
_mh__schedule__install() {
    _arguments -s -S \
        '*--at[The time of day.]:value:' \
        '*--with[What runs it; what is there if not given.]:value:(systemd launchd cron)' \
        '*--print[Show what would be written; change nothing.]' \
        '*'{--yes,-y}'[Do it without asking.]' \
        '*--json[Answer with one JSON document.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__schedule__show() {
    _arguments -s -S \
        '*--json[Answer with one JSON document.]' \
        '*--ndjson[Answer with one JSON record a line.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__schedule__remove() {
    _arguments -s -S \
        '*'{--yes,-y}'[Do it without asking.]' \
        '*--json[Answer with one JSON document.]' \
        '*--ndjson[Answer with one JSON record a line.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__config() {
    local curcontext=$curcontext state line
    local -a commands=('show:Show every setting, its value and where that came from.' 'get:Print the value of one setting.' 'set:Write one setting into the file.' 'unset:Take one setting out of the file.' 'path:Print where the settings file is. The keys (keys.toml) and themes of mh tui lie beside it.')
    _arguments -C \
        '*'{--help,-h}'[Show this message and exit.]' \
        '1: :->command' \
        '*:: :->rest'
    case $state in
        command) _describe command commands ;;
        rest) case $line[1] in show|get|set|unset|path) _mh__config__${line[1]//-/_} ;; esac ;;
    esac
}
_mh__config__show() {
    _arguments -s -S \
        '*--json[Answer with one JSON document.]' \
        '*--ndjson[Answer with one JSON record a line.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__config__get() {
    _arguments -s -S \
        '*--json[Answer with one JSON document.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__config__set() {
    _arguments -s -S \
        '*--json[Answer with one JSON document.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__config__unset() {
    _arguments -s -S \
        '*--json[Answer with one JSON document.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__config__path() {
    _arguments -s -S \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__key() {
    local curcontext=$curcontext state line
    local -a commands=('set:Store a key, read from the terminal unseen or from stdin.' 'rm:Take a key out of the keyring.' 'list:List the keys there are and where each comes from, never their values.')
    _arguments -C \
        '*'{--help,-h}'[Show this message and exit.]' \
        '1: :->command' \
        '*:: :->rest'
    case $state in
        command) _describe command commands ;;
        rest) case $line[1] in set|rm|list) _mh__key__${line[1]//-/_} ;; esac ;;
    esac
}
_mh__key__set() {
    _arguments -s -S \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__key__rm() {
    _arguments -s -S \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__key__list() {
    _arguments -s -S \
        '*--json[Answer with one JSON document.]' \
        '*--ndjson[Answer with one JSON record a line.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__completion() {
    _arguments -s -S \
        '*--keys[Print the key bindings instead.]' \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
_mh__help() {
    _arguments -s -S \
        '*--space[Work in this space.]:value:' \
        '*--db[Use this database file.]:file:_files' \
        '*'{--quiet,-q}'[Print ids alone; no notices.]' \
        '*--no-color[Print without colour.]' \
        '*--debug[Show where an error comes from.]' \
        '*'{--help,-h}'[Show this message and exit.]' \
        '*: :_default'
}
if [ "$funcstack[1]" = "_mh" ]; then _mh "$@"; else compdef _mh mh memhub; fi
