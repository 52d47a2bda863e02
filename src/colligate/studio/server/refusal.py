"""The page for a browser that is not let in: why, and how to get in. It holds nothing of the project."""

from __future__ import annotations

import base64
import hashlib

from starlette.responses import HTMLResponse

STYLE = """
:root { color-scheme: light dark; }
body { margin: 0; display: grid; place-items: center; min-height: 100vh; padding: 1.5rem;
  box-sizing: border-box; background: light-dark(#fdfcfa, #14171a); color: light-dark(#1d2126, #e9e7e2);
  font: 1rem/1.55 system-ui, sans-serif; }
main { max-width: 34rem; }
h1 { margin: 0 0 .8rem; font: 600 1.6rem/1.25 Georgia, serif; }
code { padding: .1em .35em; border-radius: 4px; background: light-dark(#efece5, #262c32); }
li { margin: .4rem 0; }
"""
HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
POLICY = (
    f"default-src 'none'; style-src 'sha256-{HASH}'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not let in · Colligate studio</title>
<style>{style}</style>
</head>
<body>
<main>
<h1>The studio does not know this browser</h1>
<p>It lets in only the browser that first opened the address it printed: {what}.</p>
<ul>
<li>If you have not used that address yet, copy all of it from the terminal, with its
<code>?token=…</code>.</li>
<li>If it was used, go on in the browser that used it. To move to this one, end the studio there with Ctrl-C
and start it again by the same command: nothing is lost, and it prints a new address.</li>
</ul>
</main>
</body>
</html>
"""


def refusal(status: int, what: str) -> HTMLResponse:
    """The page that says why; `what` is one of the studio's own sentences."""
    page = PAGE.format(style=STYLE, what=what)
    return HTMLResponse(page, status, headers={"content-security-policy": POLICY})
