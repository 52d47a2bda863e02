"""How the documentation is built: Sphinx with MyST pages and the Furo theme."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))

from colligate.version import __version__  # noqa: E402

project = "Colligate"
author = "The Colligate authors"
copyright = "the Colligate authors"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.mathjax"]
# MathJax (Apache-2.0) comes with this package, so that formulas need no network
extensions += ["sphinx-mathjax-offline"]
exclude_patterns = ["_build"]
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "none"
napoleon_numpy_docstring = True
napoleon_google_docstring = False

html_theme = "furo"
html_title = f"Colligate {release}"
html_search_scorer = str(ROOT / "docs" / "search_scorer.js")
