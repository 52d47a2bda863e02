"""The number of groups that `--clusters auto` takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from colligate.cli.watch import Watch
    from colligate.corpus import Corpus
    from colligate.knowledge import Knowledge
    from colligate.methods.suggestion import Suggestion
    from colligate.network import Network


def suggested(
    documents: Corpus | Network, knowledge: Knowledge | None, watch: Watch, jobs: int | None = None
) -> Suggestion:
    """The suggestion for these documents, with no fewer groups than knowledge names."""
    from colligate.methods.suggestion import suggest_clusters

    with watch.stage("number of groups"):
        return suggest_clusters(documents, least=_named(knowledge), n_jobs=jobs, listener=watch.listener)


def _named(knowledge: Knowledge | None) -> int:
    """How many groups knowledge names."""
    told = () if knowledge is None else knowledge
    return len({statement.object for statement in told if statement.kind in ("label", "category")})
