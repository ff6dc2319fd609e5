"""What English sentences look like that are worth keeping; the rules that read them are in `extract_rules`."""

REMEMBER = (
    r"(?:(?:and|also|ok|okay|so|please|pls),? )*(?:remember|note|keep in mind|"
    r"don['’]t forget|do not forget|make a note|memori[sz]e)"
    r"(?:(?: please)?(?: that\b|\s*[:,—–]| down\b[:,]?(?: that\b)?)\s*| (?=(?:my|our|i|we)\b))"
)
REMEMBER_POLITE = r"(?:can|could|would|will) you (?:please )?(?:remember|note|keep in mind) (?:that )?(?=.{4})"
TO_DO = (
    r"(?:please )?remind me (?:to |about |that )|(?:please )?(?:remember|don['’]t "
    r"forget|do not forget) to |to[- ]?do\s*[:：-]\s*|"
    r"(?:i|we) (?:must|have to|need to) not forget to |note to self\s*[:,]\s*"
)
COMMITMENT = (
    r"(?:(?:ok|okay|so|then|and|yes|right),? )*(?:i|we)(?:['’]ll| will| shall| have to| must| need to| "
    r"promised to|['’](?:m|re) going to|"
    r" (?:am|are) going to| promise to| agreed to| committed to)(?: also| then)? [a-z]"
)
NAMING = (
    r"(?:our|my|the) (?:[\w-]+ ){1,5}(?:is|are|runs on|lives (?:at|in|on))(?: called| named| now)*(?: at| on| in)? "
    r"(?=\S*[\w])(?:\S*[\d._/:-]\S*\w|[\"'`][^\"'`]{1,60}[\"'`])[.!]?$|"
    r"(?:our|my|the) (?:[\w-]+ ){1,5}(?:is|are) (?:called|named) \S.{0,60}$"
)
DECISION = (
    r"(?:(?:no|nope|ok|okay|so|then|and|in the end|finally|yesterday|today),? )*(?:(?:i|we|the team|our team)(?: have|"
    r"['’]ve)?(?: both| all| finally| just)? "
    r"(?:decided|agreed|chose|settled on|opted|are going with|will go with|"
    r"went with|picked|committed to)|decision\s*:|"
    r"it (?:is|was|has been) decided)\b"
)
PREFERENCE = (
    r"i (?:really |much |very much |strongly |still |also |generally |usually )?(?:like|love|enjoy|prefer|"
    r"hate|dislike|can['’]t stand|cannot stand|"
    r"avoid|would rather|favou?r)\s|i(?: do not|['’]?\s?don['’]t| never| always| only| usually| mostly| "
    r"rarely| no longer| hardly ever| avoid)"
    r"(?: ever)? (?P<verb>[a-z]+)|(?:please )?(?:always|never) (?:use|write|answer|reply|call|format|put|add|"
    r"run|commit|push|deploy|send|address)\b"
)
_HABIT_VERBS_TEXT = (
    "like love eat drink use work smoke drive speak sail ride run cook buy sleep "
    "fly travel cycle wear play read write sing swim "
    "hike shop deploy commit push code type prefer enjoy trust answer take vote "
    "drink pay train fish row climb watch listen live "
    "keep start end walk bake brew paint teach meet order charge carry sign book back"
)
HABIT_VERBS = frozenset(_HABIT_VERBS_TEXT.split())
POINTERS = (
    r"\b(?:it|that|this|these|those|them|one|what you|how you|your|the (?:first|second|third|last|"
    r"other) (?:one|option))[.!]?$|^i \w+ (?:it|that|this|how|what|your|to see|to know)\b"
)
NO_LONGER = r"(?:i|we|my|our|the|[A-Z]\w+)\b.{0,80}\b(?:no longer|any ?more)\b"
CORRECTION = r"(?:(?:no|oh|sorry|wait),? )*(?:actually|correction|in fact|to correct myself|i was wrong)\s*[:,]?\s+"
DENIAL = r"(?:no|nope|wrong|not true|that['’]?s (?:not|wrong)|i (?:did not|didn['’]t|never|have not|haven['’]t))\b"
_WEAK_SUBJECT_TEXT = (
    "that it this these those you they he she there what never not no yes "
    "i'd let so thanks if when maybe please could can"
)
WEAK_SUBJECT = frozenset(_WEAK_SUBJECT_TEXT.split())
_PAST_VERBS_TEXT = (
    "met went saw was were had bought sold left came got made paid took gave won lost began broke built "
    "caught drove flew found held hit "
    "kept knew led ran sent set slept spoke spent stood taught thought told wrote"
)
PAST_VERBS = frozenset(_PAST_VERBS_TEXT.split())
EVENT = r"(?:i|we|my|our|the|[A-Z][\w'-]+)\b"
SUCCESS = (
    r"\b(?:(?:it|that|this|everything|now|all|which)\s+(?:now\s+)?(?:works?|worked|passes|passed|builds?)|"
    r"works now|(?:tests?|build|ci|deploy\w*|checks?)"
    r"(?: (?:is|are|now|all|has|have))* (?:pass(?:es|ed)?|green|succeed(?:s|ed)?|works?|ok)|(?:all )?tests? "
    r"passed|\d+ passed|that did it|fixed(?: it)?|"
    r"solved|succeeded|build successful|problem gone|it['’]s (?:working|"
    r"fixed)|is (?:working|fixed) now|works again)\b"
)
FAILURE = (
    r"\b(?:(?:does|did|do|is|are|was|has|have|can)(?: not|n['’]t)|not|never|still|no "
    r"longer)\s+(?:\w+\s+){0,2}(?:work|pass|fixed|build|solved|succeed|working|green)\w*|"
    r"\b(?:failed|fails|error|broken|crash\w*|traceback)\b"
)
