"""A figure: a drawing with a style, which notebooks show and which is saved as SVG, PNG or HTML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from markupsafe import Markup

from colligate._storage.atomic import expand_path, write_file
from colligate.errors import InputError, ParameterError
from colligate.report.drawing import find_frame, find_size, to_svg
from colligate.report.raster import to_png
from colligate.report.render import load_templates
from colligate.report.style import PLAIN, Style

if TYPE_CHECKING:
    import os
    from collections.abc import Callable
    from pathlib import Path

    from colligate.report.drawing import Drawing

FORMATS = ("svg", "png", "html")
NOTEBOOK_WIDTH = 800.0
"""Notebooks cut what is wider than their output, without a way to scroll."""


@dataclass(frozen=True, eq=False, repr=False)
class Figure:
    """A picture of a result. A notebook shows it; `restyle` changes its look, and `save` writes it.

    A figure never changes: `restyle` returns another one. The same result and style give the same picture.

    Attributes
    ----------
    kind : str
        What it shows, such as `map` or `sizes`.
    style : Style
        Its size, colours, fonts and labels.
    """

    kind: str
    draw: Callable[[Style], Drawing | None]
    style: Style = PLAIN
    page: Callable[[Style], str] | None = None

    def __post_init__(self) -> None:
        if self.draw(self.style) is None:
            raise InputError(f"there is nothing to draw in the figure {self.kind!r}")

    @property
    def drawing(self) -> Drawing:
        """The drawing in the present style."""
        drawing = self.draw(self.style)
        assert drawing is not None
        return drawing

    def restyle(self, **changes: Any) -> Figure:
        """Return the figure with another look.

        Parameters
        ----------
        **changes
            Any of `theme` ("light" or "dark"), `title`, `width`, `height`, `font`, `font_size`, `colours` and
            `labels`; see `Style`. Colours and labels are added to those that are there.

        Returns
        -------
        Figure
        """
        if unknown := [name for name in changes if name not in Style.names()]:
            raise ParameterError(
                f"a figure has no {unknown[0]!r:.60}; use one of {', '.join(Style.names())}",
                parameter=unknown[0],
            )
        for name in ("colours", "labels"):
            # what is no mapping is refused by the style
            if isinstance(changes.get(name), Mapping):
                # numbers of groups often come from a frame
                added = {int(k) if isinstance(k, np.integer) else k: v for k, v in changes[name].items()}
                changes[name] = {**getattr(self.style, name), **added}
        return replace(self, style=replace(self.style, **changes))

    def to_svg(self) -> str:
        """Return the picture as an SVG file.

        Returns
        -------
        str
        """
        return to_svg(self.drawing, self.style)

    def to_png(self) -> bytes:
        """Return the picture as a PNG file of twice the size of the SVG; this needs the extra `png` (Pillow).

        Returns
        -------
        bytes
        """
        return to_png(self.drawing, self.style)

    def to_html(self) -> str:
        """Return the picture as one HTML page; the map as its interactive page.

        Returns
        -------
        str
        """
        if self.page is not None:
            return self.page(self.style)
        drawing = self.drawing
        svg = to_svg(drawing, self.style)
        return (
            load_templates()
            .get_template("figure.html")
            .render(
                title=self.style.title or drawing.title,
                description=drawing.description,
                paper=self.style.resolve("paper"),
                # without the XML declaration, which HTML does not have; to_svg has escaped every text
                picture=Markup(svg.partition("\n")[2].strip()),
            )
        )

    def save(self, path: str | os.PathLike[str], *, format: str | None = None) -> Path:
        """Write the picture to a file, all or nothing.

        Parameters
        ----------
        path : str or Path
            The file to write.
        format : {"svg", "png", "html"}, optional
            By default the end of the name of the file decides. The map as HTML is its interactive page.

        Returns
        -------
        Path
            The file.
        """
        target = expand_path(path)
        chosen = format or target.suffix.lower().removeprefix(".")
        if chosen not in FORMATS:
            raise InputError(
                f"a figure must be saved as .svg, .png or .html; got {chosen or target.name!r:.60}"
            )
        content = self.to_png() if chosen == "png" else getattr(self, f"to_{chosen}")().encode()
        with write_file(target) as temporary:
            temporary.write_bytes(content)
        return target

    def __repr__(self) -> str:
        width, height = find_size(find_frame(self.drawing, self.style), self.style)
        return f"Figure({self.kind}, {width:.0f} × {height:.0f})"

    def _repr_svg_(self) -> str:
        width = find_frame(self.drawing, self.style)[2]
        if width <= NOTEBOOK_WIDTH or self.style.width is not None or self.style.height is not None:
            return self.to_svg()
        return self.restyle(width=NOTEBOOK_WIDTH).to_svg()
