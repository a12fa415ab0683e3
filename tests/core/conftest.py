"""Let the tests of the core import the small games they share."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
