"""Where files are found that a user has made."""

import os
from pathlib import Path


def data_directory() -> Path:
    """Where what a user has built is found: GAMETREE_DATA_DIR, or the platform's directory for data."""
    given = os.environ.get("GAMETREE_DATA_DIR")
    if given:
        return Path(given)
    import platformdirs

    return Path(platformdirs.user_data_dir("gametree", appauthor=False))
