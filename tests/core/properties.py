"""How the property tests of the core are run."""

from hypothesis import settings

quick = settings(max_examples=25, deadline=None, derandomize=True)
"""Few examples, the same in every run: for tests that everybody runs between two edits."""
