"""The interactive map inside a notebook: the page of the map as a widget that tells what was selected."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

from colligate.errors import InputError, ParameterError
from colligate.report.map_page import BODY, STYLE_SHEET, make_map_data, read_source
from colligate.report.style import PLAIN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from colligate.report.style import Style
    from colligate.report.view import DocumentMapView

HEIGHTS = (200, 4000)
_ADVICE = (
    "the map in a notebook needs anywidget: pip install 'colligate[notebook]', or use result.map_page(path)"
)


def make_map_widget(view: DocumentMapView, height: int, style: Style = PLAIN) -> Any:
    """Make the widget of a map; see `Result.map_widget`."""
    low, high = HEIGHTS
    if type(height) is not int or not low <= height <= high:
        raise ParameterError(
            f"height must be a whole number of pixels from {low} to {high}; got {height!r:.60}",
            parameter="height",
        )
    return _find_class()(view.ids, data=make_map_data(view, style), height=height)


def make_module() -> str:
    """Return the script of the widget: that of the page, with its style, its elements and a start."""
    parts = {"STYLE": read_source(*STYLE_SHEET), "BODY": read_source(BODY)}
    constants = "".join(f"const {name} = {json.dumps(text)};\n" for name, text in parts.items())
    return read_source("map_page.js") + constants + read_source("map_widget.js")


@cache
def _find_class() -> type[Any]:
    """Return the class of the widget, which exists only where anywidget is installed."""
    try:
        import anywidget
        import traitlets
    except ImportError:
        raise InputError(_ADVICE) from None

    class MapWidget(anywidget.AnyWidget):  # type: ignore[misc]
        """The map of a result in a notebook. `selected` has the ids of the selected documents."""

        _esm = make_module()
        data = traitlets.Dict().tag(sync=True)
        height = traitlets.Int().tag(sync=True)
        rows = traitlets.List(traitlets.Int()).tag(sync=True)
        selected = traitlets.List(traitlets.Unicode())

        def __init__(self, ids: Sequence[str], **traits: Any) -> None:
            # the page shows ids without unseen characters; these are the ones of the documents
            self._ids = tuple(ids)
            self._row_of = {id: row for row, id in enumerate(ids)}
            super().__init__(**traits)

        def __repr__(self) -> str:
            noun = self.data["noun"][1]
            return f"MapWidget({len(self._ids):,} {noun}, {len(self.selected):,} selected)"

        @traitlets.validate("rows")  # type: ignore[untyped-decorator]
        def _check_rows(self, proposal: Any) -> Any:
            """Keep the rows that are on the map: what comes from a browser is checked."""
            return [row for row in proposal["value"] if 0 <= row < len(self._ids)]

        @traitlets.validate("selected")  # type: ignore[untyped-decorator]
        def _check_selected(self, proposal: Any) -> Any:
            """Refuse ids that are not on the map."""
            for id in proposal["value"]:
                if id not in self._row_of:
                    raise InputError(f"{id!r:.80} is not the id of a document on the map")
            return proposal["value"]

        @traitlets.observe("rows")  # type: ignore[untyped-decorator]
        def _follow_rows(self, _: Any) -> None:
            self.selected = [self._ids[row] for row in self.rows]

        @traitlets.observe("selected")  # type: ignore[untyped-decorator]
        def _follow_selected(self, _: Any) -> None:
            self.rows = [self._row_of[id] for id in self.selected]

    return MapWidget
