"""Chinese sentences that fill a slot; as `slots_en`, each pattern must match a whole sentence."""

import re
from functools import cache

from memhub.pipeline.slots_en import Pattern

_V = r"[^，。,;；：:！!？?]"
_NOW = r"(?:现在|目前|如今|其实)?"
_END = "(?:了|啦)?"
FAMILY = (
    "哥哥|弟弟|姐姐|妹妹|爸爸|妈妈|父亲|母亲|儿子|女儿|妻子|老婆|丈夫|老公|女朋友|男朋友|女友|男友|老板|"
    "经理|同事|邻居|朋友|室友|房东|爷爷|奶奶|外公|外婆"
)
ONE_OF_A_KIND = (
    "妻子|老婆|丈夫|老公|女朋友|男朋友|女友|男友|对象|老板|经理|房东|医生|牙医|导师|家庭医生|妈妈|爸爸|母亲|父亲"
)
COMPANIONS = set(["妻子", "老婆", "丈夫", "老公", "女朋友", "男朋友", "女友", "男友", "对象"])
_PETS = "猫 狗 鸟 鱼 兔子 马 儿子 女儿 哥哥 弟弟 姐姐 妹妹 朋友 同事 孩子 仓鼠 邻居"
PETS = set(_PETS.split())
TOOLS = "编辑器|浏览器|终端|语言|字体|主题|键盘|系统|操作系统|发行版|手机|电脑|搜索引擎|框架|数据库"
_FOODS = "食物 早餐 早饭 午餐 午饭 晚餐 晚饭 菜 水果 饮料 茶 咖啡 零食 甜点 酒 餐厅"
FOODS = set(_FOODS.split())
TOOL_NAMES = {
    "编辑器": "editor",
    "浏览器": "browser",
    "终端": "terminal",
    "语言": "language",
    "字体": "font",
    "主题": "theme",
    "键盘": "keyboard",
    "系统": "distro",
    "操作系统": "distro",
    "发行版": "distro",
    "手机": "phone",
    "电脑": "laptop",
    "搜索引擎": "search",
    "框架": "framework",
    "数据库": "database",
}
CONTACTS = {
    "电话": "phone",
    "手机号": "phone",
    "电话号码": "phone",
    "邮箱": "email",
    "地址": "address",
    "住址": "address",
}
STATES = "单身|已婚|离婚|订婚|未婚"
_JOBS = (
    "护士 急救员 医生 牙医 老师 教师 教授 讲师 研究员 科学家 工程师 程序员 开发者 设计师 建筑师 经理 顾问 会计 "
    "律师 法官 记者 编辑 作家 翻译 摄影师 画家 音乐家 演员 厨师 服务员 农民 园丁 木匠 电工 水管工 技师 飞行员 "
    "水手 船长 司机 警察 消防员 军人 分析师 学生 实习生 博士生 研究生 大学生 秘书 销售 店员 药剂师 兽医 心理医生 "
    "图书管理员 产品经理 项目经理 数据科学家 架构师 测试工程师 船匠 裁缝 理发师"
)
JOBS = set(_JOBS.split())
PATTERNS = (
    Pattern(rf"我{_NOW}(?:叫|名叫|的名字是|的名字叫|名字叫|名字是|姓名是)(?P<value>{_V}{{1,12}})", "identity.name"),
    Pattern(rf"我的?生日{_NOW}(?:是|在)?(?P<value>{_V}*[月日号\d]{_V}*)", "identity.birthday"),
    Pattern(rf"我{_NOW}(?:住在|定居在|生活在|居住在)(?P<value>{_V}{{1,16}}?){_END}", "state.location"),
    Pattern(
        rf"我(?:已经|刚|刚刚|最近)?(?:从{_V}{{1,10}})?(?:搬到|搬去|搬家到|移居)(?:了)?(?P<value>{_V}{{1,12}}?){_END}",
        "state.location",
    ),
    Pattern(rf"我{_NOW}在(?P<value>{_V}{{1,16}}?)(?:工作|上班|任职|就职)", "identity.employer"),
    Pattern(rf"我(?:刚|已经)?(?:加入|入职)了?(?P<value>{_V}{{1,16}}?){_END}", "identity.employer"),
    Pattern(rf"(?:我{_NOW}是|我的职业是|我的工作是)(?:一名|一个|一位)?(?P<value>{_V}{{2,10}})", "identity.job"),
    Pattern(rf"我{_NOW}(?P<value>\d{{1,3}})岁{_END}", "state.age"),
    Pattern(rf"我{_NOW}(?:是)?(?P<value>{STATES}){_END}", "state.relationship"),
    Pattern(
        rf"我最(?:喜欢|爱|喜爱)的(?P<what>{_V}{{1,8}}?){_NOW}(?:是|就是)(?P<value>{_V}{{1,20}})",
        "preference.{what}",
        "{what}",
    ),
    Pattern(rf"我的?(?:默认)?(?P<what>{TOOLS}){_NOW}是(?P<value>{_V}{{1,20}})", "preference.{what}", "{what}"),
    Pattern(rf"我的?(?P<what>{'|'.join(CONTACTS)}){_NOW}是(?P<value>{_V}{{3,60}})", "contact.{what}"),
    Pattern(rf"我{_NOW}的?(?P<what>{ONE_OF_A_KIND}){_NOW}(?:叫|是|名叫)(?P<value>{_V}{{1,8}})", "relation.{what}"),
    Pattern(
        rf"我(?:家)?的?(?P<what>{_V}{{1,6}}?)(?:的名字)?{_NOW}(?:叫做|名叫|名字叫|叫)(?P<value>{_V}{{1,12}})",
        "possession.name",
        "{what}",
    ),
    Pattern(rf"我(?:的母语是|会说|会讲)(?P<value>{_V}{{1,6}}(?:语|文|话))", "skill.language", "{value}"),
    Pattern(rf"我对(?P<value>{_V}{{1,10}})过敏", "health.allergy", "{value}"),
    Pattern(rf"我(?:很|非常|特别|最)?(?:喜欢|爱|喜爱)(?P<value>{_V}{{1,20}})", "preference.like", "{value}"),
)
WHO = rf"(?:我(?:的)?(?:{FAMILY})|(?:小|老|阿)[\u4e00-\u9fff]|[\u4e00-\u9fff·]{{2,4}}?)"
OTHERS = (
    Pattern(rf"(?P<who>{WHO}){_NOW}(?:住在|定居在)(?P<value>{_V}{{1,16}}?){_END}", "state.location"),
    Pattern(rf"(?P<who>{WHO})(?:已经|刚)?(?:搬到|搬去)了?(?P<value>{_V}{{1,12}}?){_END}", "state.location"),
    Pattern(rf"(?P<who>{WHO}){_NOW}在(?P<value>{_V}{{1,16}}?)(?:工作|上班|任职)", "identity.employer"),
    Pattern(rf"(?P<who>{WHO})的生日(?:是|在)?(?P<value>{_V}*[月日号\d]{_V}*)", "identity.birthday"),
    Pattern(
        rf"(?P<who>(?:小|老|阿)[\u4e00-\u9fff]|我(?:的)?(?:{FAMILY}))是(?:一名|一个|一位)?(?P<value>{_V}{{2,10}})",
        "identity.job",
    ),
)
NO_NAMES = re.compile(
    "^(?:我们|你们|他们|她们|它们|如果|昨天|今天|明天|以前|大家|有人|谁|他|她|它|你|这|那|其实|现在|因为|但是|我)"
)
NOT_OWN = re.compile("^我(?:们|说|想|觉得|可能|以前|曾经|们的)")
NOT_VALUES = re.compile("^(?:不|没|的|了|过|着|家|自己|这|那|什么|哪|谁|好|我|你|他|她|很|个|去|来)|[吗呢的]$")
_PLACES = (
    "北京 上海 广州 深圳 杭州 南京 苏州 成都 重庆 武汉 西安 天津 长沙 郑州 "
    "青岛 大连 厦门 宁波 无锡 福州 合肥 济南 昆明 "
    "沈阳 哈尔滨 香港 澳门 台北 新加坡 东京 伦敦 纽约 巴黎 柏林 德国 法国 英国 "
    "美国 日本 中国 加拿大 国外 海外 外地 公司 办公室 "
    "工厂 医院 学校 大学 银行 船上 海上 晚上 白天 早上 夜里 周末 努力 认真 远程 线上 乡下 城里 市区"
)
NO_EMPLOYERS = frozenset(_PLACES.split())
"""Where or how people work, which does not say for whom."""
NO_JOBS = ("俱乐部", "合唱团", "党", "群", "协会", "社团", "球队", "讨论", "会议")
NO_NAME = re.compile("[去来他她你车]|外卖|加班|回家|起床|吃饭|[\u4e00-\u9fff]{5,}")


@cache
def own() -> tuple[tuple[re.Pattern[str], Pattern], ...]:
    """The patterns of what people say of themselves."""
    return tuple((re.compile(p.text), p) for p in PATTERNS)


@cache
def others() -> tuple[tuple[re.Pattern[str], Pattern], ...]:
    """The patterns of what is said of other people."""
    return tuple((re.compile(p.text), p) for p in OTHERS)
