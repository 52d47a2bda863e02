"""The frames and figures of a result, and the files that contain the same tables."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, cast

from colligate._storage.atomic import expand_path
from colligate.result import column_tables, table_files, tables
from colligate.result.fields import ResultFields
from colligate.result.figures import Figures
from colligate.result.frame import Frame

if TYPE_CHECKING:
    from pathlib import Path

    from colligate.result.result import Result


class ResultFrames(ResultFields):
    """The fields of a result, as frames, as figures and as files of tables."""

    @cached_property
    def documents(self) -> Frame:
        """The documents: group, confidence, the columns of the input, and the text, as in documents.csv.

        `stated` tells whether the user said where the document belongs.
        """
        return Frame(self.centre, tables.documents_table(self._whole))

    @cached_property
    def groups(self) -> Frame:
        """The groups: number, name, size, confidence, coherence and top words, as in clusters.csv."""
        return Frame("groups", tables.groups_table(self._whole))

    @cached_property
    def words(self) -> Frame:
        """The words (or other terms): count, and the group that each is most typical of, as in words.csv."""
        return Frame(self.terms, tables.terms_table(self._whole))

    @cached_property
    def statements(self) -> Frame:
        """The statements of the knowledge with their outcomes, as in knowledge.csv."""
        return Frame("statements", self._whole.audit().table())

    @property
    def figures(self) -> Figures:
        """The figures of the result: `result.figures.map()`, `.sizes()`, `.words()` and others."""
        return Figures(self._whole)

    def over(self, column: str, *, time: bool = False) -> Frame:
        """Count the documents of every group by a column of the input: over time, by class, or by number.

        Parameters
        ----------
        column : str
            The name of the column. Dates are counted by day, month or year, depending on their range.
        time : bool
            Refuse a column without dates.

        Returns
        -------
        Frame
            A row for each period or value and group: `documents`, `of` (the documents of all groups in it),
            their `share` with a 95% interval from `low` to `high`, and the `words` of the group in it, if it
            has five documents at least.
        """
        return Frame(f"groups by {column}", column_tables.tabulate_by_column(self._whole, column, time=time))

    def write_documents(self, path: str | Path, *, format: str | None = None) -> Path:
        """Write the documents with their groups, the columns of the input and the texts to one file.

        Parameters
        ----------
        path : str or Path
            The file to write.
        format : {"csv", "xlsx", "parquet"}, optional
            By default the end of the name of the file decides.

        Returns
        -------
        Path
            The file.
        """
        return table_files.write_documents(self._whole, expand_path(path), format)

    def write_tables(self, folder: str | Path, *, format: str = "csv") -> list[Path]:
        """Write documents, clusters, words, a table for every further type, and the audit.

        Parameters
        ----------
        folder : str or Path
            The folder to write to.
        format : {"csv", "xlsx", "parquet"}
            Texts are whole in CSV and Parquet. Excel workbooks have at most 32,767 characters in a cell;
            longer texts are cut, with a mark and a warning.

        Returns
        -------
        list of Path
            The files.
        """
        return table_files.write_tables(self._whole, expand_path(folder), format)

    @property
    def _whole(self) -> Result:
        return cast("Result", self)
