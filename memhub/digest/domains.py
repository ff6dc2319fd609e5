"""Which part of life a theme belongs to: the nearest of a few descriptions, in the space of the embedding model."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memhub.digest import clusters

if TYPE_CHECKING:
    from memhub.digest.clusters import Vectors
    from memhub.embed.engine import Engine

DOMAINS: dict[str, tuple[str, str]] = {
    "work": ("My job, the project, a meeting with colleagues and customers.", "工作，项目，开会，同事，客户，上班。"),
    "technology": ("Software, servers, code, a computer and its configuration.", "软件，服务器，代码，电脑，编程。"),
    "health": ("The doctor, sleep, medicine, pain and allergies.", "医生，睡眠，吃药，身体，过敏，体检。"),
    "sport": ("Training, running, swimming, cycling and a race.", "运动，跑步，游泳，健身，训练，比赛。"),
    "food": ("Cooking dinner, a recipe, bread, coffee and restaurants.", "做饭，菜谱，吃饭，面包，咖啡，餐厅。"),
    "home": ("The flat, the rent, repairs, the garden and the neighbours.", "房子，房租，装修，家务，阳台，邻居。"),
    "people": ("My family, friends, children, a visit and a birthday.", "家人，朋友，孩子，父母，聚会，生日。"),
    "money": ("Taxes, the bank, savings, insurance and invoices.", "税，银行，存钱，股票，保险，账单。"),
    "travel": ("A trip, flights, train tickets, a hotel by the sea.", "旅行，机票，火车票，酒店，海边，出差。"),
    "learning": ("Studying a language, an exam, reading a book, a course.", "学习，考试，读书，单词，课程，论文。"),
    "leisure": ("Playing music, a film, games, photography and drawing.", "音乐，电影，游戏，摄影，吉他，画画。"),
}
"""Of these a persona has chapters; which one a theme belongs to is a help for reading, no statement about it."""


class Domains:
    """The descriptions as vectors, made once a run."""

    def __init__(self, engine: "Engine") -> None:
        self._names = [name for name, texts in DOMAINS.items() for _ in texts]
        texts = [text for pair in DOMAINS.values() for text in pair]
        self._vectors = clusters.unit(engine.embed(texts), engine.info.dims)

    def of(self, vectors: "Vectors", places: Sequence[int]) -> str:
        """The domain of some statements together."""
        near = self._vectors @ vectors[list(places)].mean(axis=0)
        return self._names[int(near.argmax())]
