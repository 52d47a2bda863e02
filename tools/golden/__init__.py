"""Golden files: what Colligate computes on fixed corpora, recorded so that a change of behaviour shows.

python -m tools.golden record
python -m tools.golden check

Only the public interface is used, so the files stay valid when the source tree is rearranged.
"""
