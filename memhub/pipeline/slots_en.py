"""English sentences that fill a slot: patterns for what people say of themselves, of people close to them, of others.

Every pattern must match a whole sentence, so that `Anna, who lives in Paris, called` fills none.
"""

import re
from functools import cache
from typing import NamedTuple

NAME = r"[^\W\d_a-z][\w.'-]*(?:[ -][^\W\d_a-z][\w.'-]*){0,3}"
TAIL = (
    r"(?:,? (?:now|these days|again|since .*|with .*|as of .*|at the moment|"
    r"today|for good|last .*|this .*|in \d{4}))?"
)

_FAMILY = (
    "brother sister mother father mum mom dad son daughter wife husband partner girlfriend boyfriend fiancé "
    "fiancée aunt uncle cousin grandmother grandfather boss manager colleague neighbour neighbor friend roommate "
    "flatmate landlord supervisor"
)
FAMILY = _FAMILY.split()
_ONE_OF_A_KIND = (
    "wife husband partner girlfriend boyfriend fiancé fiancée doctor gp dentist boss manager landlord supervisor "
    "therapist mother father mum mom dad physiotherapist accountant lawyer line\\ manager"
)
ONE_OF_A_KIND = _ONE_OF_A_KIND.split()
COMPANIONS = {"wife", "husband", "partner", "girlfriend", "boyfriend", "fiancé", "fiancée"}
_PETS = (
    "cat dog son daughter brother sister friend fish horse bird rabbit hamster kid child colleague cousin uncle "
    "aunt neighbour"
)
PETS = set(_PETS.split())
_NO_PLACES = (
    "vim neovim emacs helix linux macos windows arch debian fedora nixos ubuntu firefox chrome safari brave "
    "python rust go postgresql postgres mysql sqlite wayland fish zsh bash notion obsidian signal telegram slack "
    "mastodon kubernetes docker aws azure gcp hetzner github gitlab marketing sales engineering finance hr "
    "operations support design monday tuesday wednesday thursday friday saturday sunday january february march "
    "april may june july august september october november december typescript javascript java kotlin swift "
    "elixir zed sublime vscode code jetbrains pycharm tmux kitty alacritty ghostty wezterm thunderbird outlook "
    "gmail proton bitwarden android ios iphone jira linear trello asana zoom teams discord matrix dvorak colemak "
    "qwerty react vue svelte django flask fastapi"
)
NO_PLACES = set(_NO_PLACES.split())
"""What people move to that is no place to live."""
_NO_EMPLOYERS = (
    "home night nights day noon midnight weekends sea monday tuesday wednesday thursday friday saturday sunday"
)
NO_EMPLOYERS = set(_NO_EMPLOYERS.split())
_JOBS = (
    "nurse paramedic doctor physician surgeon dentist teacher professor lecturer researcher scientist engineer "
    "developer programmer designer architect manager consultant accountant lawyer solicitor barrister judge "
    "journalist editor writer author translator interpreter photographer painter sculptor musician actor actress "
    "cook chef baker butcher waiter waitress barista farmer gardener carpenter electrician plumber mechanic "
    "technician pilot sailor captain skipper driver postman policeman firefighter soldier analyst biologist "
    "chemist physicist mathematician statistician economist historian librarian archivist psychologist therapist "
    "psychiatrist pharmacist veterinarian vet secretary receptionist salesperson salesman cashier clerk "
    "entrepreneur administrator sysadmin devops postdoc student apprentice intern trainee midwife physiotherapist "
    "optician geologist astronomer linguist tester planner surveyor boatbuilder welder tailor hairdresser banker "
    "broker trader bookkeeper paralegal producer director bookseller freelancer"
)
JOBS = set(_JOBS.split())
_TOOLS = (
    "editor browser shell terminal language font theme colorscheme keyboard desktop distro database framework "
    "phone laptop search engine"
)
TOOLS = _TOOLS.split()
_FOODS = (
    "food breakfast lunch dinner dish meal snack dessert drink coffee tea fruit vegetable cheese wine beer soup "
    "cake restaurant"
)
FOODS = _FOODS.split()
CONTACTS = {
    "phone number": "phone",
    "mobile number": "phone",
    "phone": "phone",
    "mobile": "phone",
    "email": "email",
    "email address": "email",
    "e-mail": "email",
    "e-mail address": "email",
    "address": "address",
    "home address": "address",
}
_PEOPLES = (
    "german french danish swedish norwegian finnish icelandic dutch british english scottish irish welsh american "
    "canadian chinese japanese korean indian italian spanish portuguese polish russian ukrainian turkish greek swiss "
    "austrian belgian brazilian mexican australian european asian african catholic "
    "protestant muslim jewish christian buddhist hindu"
)
NO_PERSONS = frozenset(_PEOPLES.split())
"""What follows `my boss is` with a capital and is no name."""
NO_JOBS = frozenset(["party", "club", "union", "choir", "society", "church", "gym", "association", "call", "meeting"])
"""What people join beside their work."""
DIETS = "vegetarian vegan pescatarian omnivore"
STATES = "single married divorced engaged widowed separated"


class Pattern(NamedTuple):
    """`text` matches a whole sentence; groups `value`, `who`, `what` say what goes where."""

    text: str
    dimension: str
    qualifier: str = ""
    is_cased: bool = False


_I = r"i(?: am|'m)"
_ADV = r"(?: (?:now|currently|also|still))?"
PATTERNS = (
    Pattern(rf"my (?:full |first )?name is{_ADV} (?P<value>{NAME})", "identity.name", is_cased=True),
    Pattern(rf"(?:{_I} called|call me|i go by) (?P<value>{NAME})", "identity.name", is_cased=True),
    Pattern(r"(?:my birthday is(?: on)?|i was born on) (?P<value>[\w ,./-]*\d[\w ,./-]*)", "identity.birthday"),
    Pattern(rf"i was born in (?P<value>{NAME})", "identity.birthplace", is_cased=True),
    Pattern(r"my pronouns are (?P<value>[\w/ ]+)", "identity.pronouns"),
    Pattern(r"my (?:native language|mother tongue) is (?P<value>[\w ]+)", "identity.native_language"),
    Pattern(r"my time ?zone is(?: now)? (?P<value>[\w/+: -]+)", "state.timezone"),
    Pattern(rf"{_I}{_ADV} (?P<value>\d{{1,3}})(?: years old)?", "state.age"),
    Pattern(
        rf"(?:{_I}{_ADV} (?:an? )?|i(?: have|'ve)? (?:got|become) )(?P<value>{STATES.replace(' ', '|')})",
        "state.relationship",
    ),
    Pattern(rf"{_I}{_ADV} (?:an? )?(?P<value>{DIETS.replace(' ', '|')})", "state.diet"),
    Pattern(rf"i{_ADV} live{_ADV} in (?P<value>{NAME}(?:, {NAME})?){TAIL}", "state.location", is_cased=True),
    Pattern(
        rf"i(?: have|'ve)?(?: just)? (?:moved|relocated)(?: back)?(?: from {NAME})? to (?P<value>{NAME}(?:, "
        rf"{NAME})?)(?: from {NAME})?{TAIL}",
        "state.location",
        is_cased=True,
    ),
    Pattern(rf"{_I}{_ADV} (?:based|living) in (?P<value>{NAME}(?:, {NAME})?){TAIL}", "state.location", is_cased=True),
    Pattern(
        rf"(?:i{_ADV} work|{_I}{_ADV} (?:working|employed)){_ADV} (?:at|for) (?P<value>(?:the )?{NAME}){TAIL}",
        "identity.employer",
        is_cased=True,
    ),
    Pattern(
        rf"i(?: have|'ve)?(?: just)? (?:joined|started (?:working )?at) (?P<value>(?:the )?{NAME}){TAIL}",
        "identity.employer",
        is_cased=True,
    ),
    Pattern(rf"my (?:new )?employer is{_ADV} (?P<value>{NAME})", "identity.employer", is_cased=True),
    Pattern(
        rf"(?:{_I}{_ADV}|i{_ADV} work{_ADV} as|my (?:new )?(?:job|profession) is) (?:an? )?(?P<value>[a-z -]+){TAIL}",
        "identity.job",
    ),
    Pattern(
        r"my favou?rite (?P<what>[a-z][a-z ]{0,30}?) is(?: now| still)? (?P<value>[^,;:]{1,60})",
        "preference.{what}",
        "{what}",
    ),
    Pattern(r"(?P<value>[^,;:]{1,40}) is my favou?rite (?P<what>[a-z][a-z ]{0,30})", "preference.{what}", "{what}"),
    Pattern(
        rf"my (?:default )?(?P<what>{'|'.join(TOOLS)}) is{_ADV} (?P<value>[^,;:]{{1,40}})",
        "preference.{what}",
        "{what}",
    ),
    Pattern(
        rf"i{_ADV} use (?P<value>[\w.+# -]{{1,30}}?) as my (?:main |default )?(?P<what>{'|'.join(TOOLS)})",
        "preference.{what}",
        "{what}",
    ),
    Pattern(
        rf"i{_ADV} (?:really |much )?prefer (?P<value>[^,;:.]{{1,60}}?)"
        rf"(?: (?:over|to|than) (?P<what>[^,;:]{{1,60}}?))?{TAIL}",
        "preference.choice",
        "{value}",
    ),
    Pattern(rf"my (?P<what>{'|'.join(CONTACTS)}) is{_ADV} (?P<value>[^,;]{{3,80}})", "contact.{what}"),
    Pattern(
        rf"my (?:new )?(?P<what>{'|'.join(ONE_OF_A_KIND)}) (?:is|'s)(?: now)? (?:called |named )?(?P<value>{NAME})",
        "relation.{what}",
        is_cased=True,
    ),
    Pattern(
        r"(?:the name of my (?P<what>[a-z][a-z ]{0,30}) is|my (?P<what2>[a-z][a-z ]{0,30}?)(?:'s name)? is(?: "
        r"now)?(?<!name is)(?: called| named)) "
        r"(?P<value>[^,;:]{1,40})",
        "possession.name",
        "{what}",
    ),
    Pattern(
        r"my (?P<what>[a-z][a-z ]{0,30})'s name is(?: "
        r"now)? (?P<value>[^,;:]{1,40})",
        "possession.name",
        "{what}",
    ),
    Pattern(r"i speak (?P<value>[a-z]+)", "skill.language", "{value}"),
    Pattern(rf"{_I} allergic to (?P<value>[a-z ]{{2,40}})", "health.allergy", "{value}"),
    Pattern(r"i (?:really |also )?(?:like|love|enjoy) (?P<value>[^,;:.]{2,60})", "preference.like", "{value}"),
)
OTHERS = (
    Pattern(rf"(?P<who>{{who}}){_ADV} lives{_ADV} in (?P<value>{NAME}(?:, {NAME})?){TAIL}", "state.location"),
    Pattern(
        rf"(?P<who>{{who}})(?: has)?(?: just)? (?:moved|relocated)(?: back)? to (?P<value>{NAME}(?:, "
        rf"{NAME})?)(?: from {NAME})?{TAIL}",
        "state.location",
    ),
    Pattern(rf"(?P<who>{{who}}){_ADV} works{_ADV} (?:at|for) (?P<value>(?:the )?{NAME}){TAIL}", "identity.employer"),
    Pattern(rf"(?P<who>{{who}})(?: has)?(?: just)? joined (?P<value>(?:the )?{NAME}){TAIL}", "identity.employer"),
    Pattern(rf"(?P<who>{{who}})(?:{_ADV} works{_ADV} as| is{_ADV}) an? (?P<value>[a-z -]+){TAIL}", "identity.job"),
    Pattern(r"(?P<who>{who})'s birthday is(?: on)? (?P<value>[\w ,./-]*\d[\w ,./-]*)", "identity.birthday"),
    Pattern(
        rf"(?P<who>{{who}})'s (?P<what>wife|husband|partner|boss|phone number|email|email address|address) "
        rf"is{_ADV} (?P<value>[^,;]{{2,60}})",
        "relation.{what}",
    ),
)
WHO = rf"(?:My|my|Our|our) (?:{'|'.join(FAMILY)})(?: {NAME})?|{NAME}"
_NO_NAMES = "he she it they we you i this that there who everyone somebody someone nobody what"
NO_NAMES = set(_NO_NAMES.split())


@cache
def own() -> tuple[tuple[re.Pattern[str], Pattern], ...]:
    """The patterns of what people say of themselves, for a sentence whose own words are lower case (`i`, `my`)."""
    return tuple((re.compile(p.text if p.is_cased else f"(?i:{p.text})"), p) for p in PATTERNS)


@cache
def others() -> tuple[tuple[re.Pattern[str], Pattern], ...]:
    """The patterns of what is said of other people, who have a name or are close."""
    return tuple((re.compile(p.text.replace("{who}", WHO)), p) for p in OTHERS)
