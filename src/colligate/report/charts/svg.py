"""Writing SVG: elements whose attributes and text are always escaped."""

from __future__ import annotations

from markupsafe import Markup, escape


def element(name: str, *children: str, **attributes: object) -> Markup:
    """One element. `class_` becomes class, `stroke_width` stroke-width; text children are escaped."""
    written = Markup("").join(
        Markup(' {}="{}"').format(key.rstrip("_").replace("_", "-"), _value(value))
        for key, value in attributes.items()
        if value is not None
    )
    inside = Markup("").join(escape(child) for child in children)
    return Markup("<{0}{1}>{2}</{0}>").format(name, written, inside)


def picture(
    title: str, description: str, size: tuple[float, float], *children: str, **attributes: object
) -> Markup:
    """A whole SVG picture that a screen reader announces by its title and description."""
    return element(
        "svg",
        element("title", title),
        element("desc", description),
        *children,
        viewBox=f"0 0 {size[0]:g} {size[1]:g}",
        role=attributes.pop("role", "img"),
        aria_label=f"{title}. {description}",
        **attributes,
    )


def coordinate(value: float) -> str:
    """A place in the picture to a tenth of a unit, as short as it can be written."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text


def _value(value: object) -> str:
    return coordinate(value) if isinstance(value, float) else str(value)
