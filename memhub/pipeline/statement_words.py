"""The words that decide what a statement says, English and Chinese: negations, marks of something newer, verbs, nouns.

Tables only; `statements` and `judge_rules` say what they are for.
"""

ARTICLES = frozenset(["a", "an", "the"])
CONTRACTIONS = {
    "i'm": "i am",
    "you're": "you are",
    "we're": "we are",
    "they're": "they are",
    "it's": "it is",
    "that's": "that is",
    "there's": "there is",
    "i've": "i have",
    "we've": "we have",
    "i'd": "i would",
    "i'll": "i will",
    "we'll": "we will",
    "let's": "let us",
    "can't": "can not",
    "cannot": "can not",
    "won't": "will not",
    "shan't": "shall not",
    "ain't": "is not",
    "anymore": "any more",
}
SPELLINGS = {
    "favourite": "favorite",
    "colour": "color",
    "grey": "gray",
    "centre": "center",
    "licence": "license",
    "organise": "organize",
    "neighbour": "neighbor",
    "harbour": "harbor",
    "programme": "program",
    "theatre": "theater",
}
PREFIXES = frozenset(["re", "co", "un", "de", "ex", "non", "pre"])
"""Prefixes whose hyphen makes another word: re-sign, resign."""
NEGATIONS = frozenset(["not", "never", "no", "without", "nobody", "nothing", "none", "neither", "nor"])
HAN_NEGATIONS = ("没有", "从不", "从未", "并非", "不", "没", "未", "别")
_NOT_NEGATIONS = (
    "不错 不但 不过 不仅 不同 不久 不断 不得不 不管 不论 不如 不只 不少 不好意思 不然 没事 没关系 未来 未婚 特别 "
    "区别 分别 别人 别墅 性别 级别 类别 识别 告别 差不多 要不 是不是 对不起 来不及"
)
HAN_NOT_NEGATIONS = _NOT_NEGATIONS.split()
AUXILIARIES = frozenset(["do", "does", "did"])
STEMS = {"has": "have", "is": "be", "are": "be", "am": "be", "does": "do", "goes": "go", "ours": "our"}

NEWER = (
    ("no", "longer"),
    ("any", "more"),
    ("as", "of", "now"),
    ("from", "now", "on"),
    ("these", "days"),
    ("in", "fact"),
    ("now",),
    ("currently",),
    ("nowadays",),
    ("actually",),
    ("correction",),
    ("instead",),
    ("meanwhile",),
    ("since", "recently"),
)
"""Sequences of words that say: this is how it is from now on. `no longer` and `any more` come with a negation."""
_HAN_NEWER = "从现在起 现在 如今 目前 不再 已经不 其实 更正 纠正 事实上 改成 改为 改到 换成 换到 变成 变为 调到 调整为"
HAN_NEWER = tuple(_HAN_NEWER.split())
HAN_CHANGED = frozenset(["改成", "改为", "改到", "换成", "换到", "变成", "变为", "调到", "调整为"])
_CORRECTIONS = (
    "actually correction instead 其实 更正 纠正 事实上 改成 改为 改到 换成 换到 变成 变为 调到 调整为 不再 已经不"
)
CORRECTIONS = frozenset(_CORRECTIONS.split()) | {"no longer", "any more", "in fact"}

HEDGES = frozenset(
    ["might", "may", "maybe", "perhaps", "probably", "possibly", "could", "would", "should", "seems", "guess", "wonder"]
)
_HAN_HEDGES = "可能 也许 或许 大概 好像 似乎 应该 恐怕 说不定 要是 如果 假如 万一 打算 想要 以前 曾经 原来 过去"
HAN_HEDGES = tuple(_HAN_HEDGES.split())
PAST = ("used to", "formerly", "in the past", "years ago", "back then", "as a child")
CONDITIONS = frozenset(["if", "unless", "suppose", "imagine", "whether"])
HAN_QUESTIONS = ("是否", "什么", "哪", "谁", "怎么", "为什么", "多少", "几点", "是不是")
_SPEECH = (
    "says said thinks thought claims claimed told tells wrote writes believes asked asks reported suggests "
    "suggested heard quoted according"
)
SPEECH = frozenset(_SPEECH.split())
HAN_SPEECH = (
    r"据(?:说|称|报|悉)|.{1,6}?(?:(?<![我小会能])说(?!明|法|话|服)|认为|觉得|声称|告诉|写道|听说|问(?:我|他|她|道|起))"
)
"""How a sentence begins that gives what somebody says."""

_STATE_VERBS = "be cost need take weigh last expire end start begin open close meet have hold measure require pay equal"
STATE_VERBS = frozenset(_STATE_VERBS.split())
"""Verbs (stemmed) after which a number is what the statement says of its subject, not part of a name."""
_BROAD_VERBS = (
    "run use live work call own keep store lead play speak drink eat drive stay sit stand lie belong prefer like "
    "support include contain sleep go come leave arrive teach study"
)
BROAD_VERBS = STATE_VERBS | frozenset(_BROAD_VERBS.split())
_LINKS = "on at by about around every only to until till due scheduled set just roughly approximately in"
LINKS = frozenset(_LINKS.split())
_REPEATING = (
    "bus train ferry flight tram departure arrival class show dose pill payment installment instalment session "
    "lesson invoice receipt ticket item shift trip run walk ride reading measurement temperature"
)
REPEATING = frozenset(_REPEATING.split())
"""Subjects of which there are many alike: another number may well be another one."""
INDEFINITE = frozenset(
    ["a", "an", "one", "another", "some", "any", "every", "each", "many", "several", "most", "few", "other"]
)
OBSERVED = frozenset(
    ["today", "tonight", "yesterday", "tomorrow", "morning", "noon", "evening", "midnight", "afternoon"]
)
HAN_OBSERVED = ("今天", "今早", "今晚", "昨天", "昨晚", "明天", "今晨", "刚才", "早晨")

_SINGLE_NOUNS = (
    "password passphrase code pin address number email mail deadline owner capital name title url port color "
    "price size budget target status version leader maintainer manager director chair landlord host ip path "
    "branch default limit timeout diameter length width height weight depth capacity fee rent cost salary rate "
    "date day time place location frequency interval key contact editor browser shell color reviewer captain "
    "skipper"
)
SINGLE_NOUNS = frozenset(_SINGLE_NOUNS.split())
"""Nouns that have one value at a time: `the owner of X is …`."""
_HAN_SINGLE_NOUNS = (
    "密码 口令 代码 地址 号码 电话 邮箱 截止日期 截止时间 负责人 首都 名字 名称 标题 网址 端口 颜色 价格 尺寸 "
    "预算 目标 状态 版本 经理 主管 主席 队长 组长 班长 房东 上限 超时 直径 长度 宽度 高度 重量 深度 容量 费用 房租 "
    "租金 成本 工资 日期 时间 地点 频率 间隔 周期 预约 会议 验船 分支 路径 船长 默认值 联系人 年费 水费 电费 密钥"
)
HAN_SINGLE_NOUNS = _HAN_SINGLE_NOUNS.split()
HAN_VALUE_LEADS = ("是", "为", "每", "需要", "需", "要", "花费", "定在", "定于", "长", "宽", "高", "重", "深", "约")
HAN_CLOSING = ("开始", "结束", "关门", "开门", "打烊", "开放", "关闭", "截止", "到期", "开会", "营业")
_HAN_REPEATING = "火车 公交 渡轮 航班 班车 地铁 读数 温度 水位 课 药 发票 订单 工单"
HAN_REPEATING = tuple(_HAN_REPEATING.split())

_ANTONYMS = (
    "open/closed open/close open/shut on/off enabled/disabled enable/disable always/never allowed/forbidden "
    "allowed/prohibited true/false locked/unlocked empty/full dry/wet safe/unsafe safe/dangerous clean/dirty "
    "alive/dead possible/impossible public/private required/optional mandatory/optional valid/invalid "
    "available/unavailable legal/illegal love/hate like/hate like/dislike with/without active/inactive "
    "visible/hidden present/absent accepted/rejected passed/failed working/broken cheap/expensive free/occupied "
    "guilty/innocent single/married 开着/关着 开放/关闭 启用/禁用 允许/禁止 从不/总是 能/不能 打开/关闭 开启/关闭 "
    "喜欢/讨厌 安全/危险 公开/私密 有效/无效 必须/不必 合法/非法 通过/失败 干净/脏 空/满 开/关 启/禁"
)
ANTONYMS = frozenset(frozenset(pair.split("/")) for pair in _ANTONYMS.split())
_EXTENDERS = (
    "and since because which who with without on at from for in near by next under above below behind when where "
    "after before until as so but especially named called via using through during every twice once "
    "together only while if about around into between besides including"
)
EXTENDERS = frozenset(_EXTENDERS.split())
"""Words that go on with a statement; anything else after its end may make another thing of its last noun."""
_HAN_EXTENDERS = "和 与 跟 ， 在 因为 从 尤其 每 叫 并 而且 还 也 但 以及 （ ( , ；"
HAN_EXTENDERS = tuple(_HAN_EXTENDERS.split())
