"""The paragraph with which a page begins when there is a model: a few sentences, each checked."""

from memhub.digest.frame import Frame
from memhub.llm.call import Llm
from memhub.model.briefing import Section


def opening(frame: Frame, sections: list[Section], llm: Llm) -> str:
    """A few sentences on what matters today; empty when the model said nothing that holds."""
    return ""
