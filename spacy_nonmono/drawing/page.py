"""The HTML page around drawings of trees: no script, nothing from the network."""

from collections.abc import Iterable
from html import escape

LIGHT = """--paper: #fff; --ink: #1c1c1c; --faint: #5c5c5c; --line: #6b6b6b;
  --rule: #d4d4d4; --wrong: #c62828; --missed: #1558b0; --added: #1b7a3d; --dropped: #96520a;
  --repair: #fdf3e4; --costly: #fdeaea;"""
DARK = """--paper: #16181c; --ink: #e6e6e6; --faint: #a6a6a6; --line: #9a9a9a;
  --rule: #45484e; --wrong: #ff8f87; --missed: #8ab8ff; --added: #7fd693; --dropped: #f0b061;
  --repair: #2b2416; --costly: #33191a;"""

# Every mark has a line or a label of a shape of its own: colours do not tell everyone something
DRAWING = """
p { margin: 4px 0; } p.note { color: var(--faint); font-size: 12.5px; max-width: 1160px; }
.figure { overflow-x: auto; margin: 10px 0; scroll-padding: 0 25%; }
svg { display: block; } .strip { display: none; }
text { text-anchor: middle; fill: var(--ink); } .word { font-size: 14px; }
.index { font-size: 10px; fill: var(--faint); } .row { font-size: 11px; fill: var(--faint); }
.arc path { fill: none; stroke: var(--line); stroke-width: 1.2; } .arc .tip { fill: var(--line); }
.label { font-size: 11px; paint-order: stroke; stroke: var(--paper); stroke-width: 3px; }
.wrong, .wrong-label { --mark: var(--wrong); } .missed, .missed-label { --mark: var(--missed); }
.added { --mark: var(--added); } .dropped { --mark: var(--dropped); }
.wrong path, .missed path, .added path, .dropped path { stroke: var(--mark); stroke-width: 2; }
.wrong .tip, .missed .tip, .added .tip, .dropped .tip { fill: var(--mark); }
.wrong path, .missed path { stroke-dasharray: 8 3; }
.dropped path { stroke-dasharray: 1 4; stroke-linecap: round; }
.arc .tip { stroke: none; } .arc:has(:target) path { stroke-width: 4; }
.label:not(.plain) { fill: var(--mark); font-weight: bold; }
.label.wrong-label, .label.missed-label { fill: var(--paper); stroke: var(--mark);
  stroke-width: 5px; stroke-linejoin: round; }
.keys span { display: inline-block; margin-right: 16px; white-space: nowrap; }
.keys svg { display: inline; }
"""
FONT = """font: 14px/1.45 "Helvetica Neue", Arial, sans-serif; color: var(--ink);
  background: var(--paper);"""

PAGE = f"""
:root {{ color-scheme: light dark; {LIGHT} }}
@media screen and (prefers-color-scheme: dark) {{
  :root {{ {DARK} }}
}}
body {{ {FONT} max-width: 1600px; margin: 24px auto; padding: 0 20px; }}
html {{ scroll-padding-top: 55vh; }}
h1 {{ font-size: 22px; margin: 0 0 4px; overflow-wrap: anywhere; }}
h2 {{ font-size: 17px; margin: 36px 0 4px; }}
{DRAWING}
p.text {{ font-size: 16px; }}
a.wrong {{ color: var(--mark); text-decoration: underline dashed; text-underline-offset: 3px; }}
a.wrong-label {{ color: var(--paper); background: var(--mark); border-radius: 3px; padding: 0 2px;
  text-decoration: none; }}
@media print {{
  body {{ margin: 0; padding: 0; max-width: none; font-size: 11px; }}
  .figure {{ overflow: visible; }} svg {{ max-width: 100%; height: auto; break-inside: avoid; }}
  .wide {{ position: absolute; width: 0; height: 0; }}
  .strip {{ display: block; margin-bottom: 8px; }}
  h2 {{ break-after: avoid; }}
  @page {{ size: A4 landscape; margin: 10mm; }}
  * {{ print-color-adjust: exact; -webkit-print-color-adjust: exact; }}
}}
"""

# A fragment has its rules inside of its own, so that the page around it keeps its look
FRAGMENT = f"""
.nonmono-trees {{ {LIGHT} {FONT} padding: 4px 8px; {DRAWING} }}
@media screen and (prefers-color-scheme: dark) {{
  .nonmono-trees {{ {DARK} }}
}}
"""

MARKS = {"wrong": "wrong head", "wrong-label": "right head, wrong label"}
GOLD_MARKS = {"missed": "gold arc that is missed", "missed-label": "gold label that is missed"}


def make_legend(marks: dict[str, str]) -> str:
    """What the marks of arcs mean: by CSS class, as small arcs."""
    keys = [
        f'<span><svg width="46" height="20" aria-hidden="true"><g class="arc {kind}">'
        f'<path d="M1,17H45"/></g><text class="label {kind}" x="23" y="13">label</text></svg> '
        f"{escape(meaning)}</span>"
        for kind, meaning in ({"plain": "arc"} | marks).items()
    ]
    return f'<p class="note keys">{"".join(keys)}</p>'


def make_page(title: str, body: Iterable[str], *, style: str = "") -> str:
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title>\n<style>{PAGE}{style}</style>\n</head>\n<body>",
            f"<h1>{escape(title)}</h1>",
            *body,
            "</body>\n</html>\n",
        ]
    )


def make_fragment(body: Iterable[str]) -> str:
    """Part of a page that has a style of its own, such as that of a notebook."""
    return "\n".join([f'<div class="nonmono-trees">\n<style>{FRAGMENT}</style>', *body, "</div>"])
