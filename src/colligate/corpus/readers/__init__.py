"""Readers: each turns one kind of input into a stream of records."""

from colligate.corpus.readers.choose import source_of
from colligate.corpus.readers.columns import Wanted
from colligate.corpus.readers.frame import FrameSource
from colligate.corpus.readers.listed import ListedSource
from colligate.corpus.readers.record import Record, Source

__all__ = ["FrameSource", "ListedSource", "Record", "Source", "Wanted", "source_of"]
