"""Old names of the loaders that now are in `experiments.corpora`."""

from experiments.corpora.dblp import dblp, dblp_papers, researchers
from experiments.corpora.folder import DEFAULT, lines
from experiments.corpora.newsgroups import newsgroups

__all__ = ["DEFAULT", "dblp", "dblp_papers", "lines", "newsgroups", "researchers"]
