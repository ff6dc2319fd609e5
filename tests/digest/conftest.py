"""What the tests of the digest share: helpers of other folders, and a model that says what it is told."""

import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
for folder in ("bench", "llm", "store", "judge"):
    if str(TESTS / folder) not in sys.path:
        sys.path.append(str(TESTS / folder))
