"""The whole stage as one HTML file that needs neither server nor network."""

import base64
import html
import json
import zlib

from viz.stage_payload import stage_payload
from viz.stage_source import lean, stage_module, stage_style

# Base 85 costs 25 %, base 64 33 %. The digits "<" and "&" would mean something in HTML.
_SAFE = str.maketrans("<&", ":.")
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~".translate(_SAFE)
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline' blob:; \
style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
<title>{title}</title>
<style>
body {{ margin: 0; padding: 10px 16px; --stage-height: calc(100vh - 20px); }}
@media (max-height: 620px) {{ body {{ --stage-height: 600px; }} }}
</style>
</head>
<body>
<noscript>This file shows an interactive decision tree and needs JavaScript.</noscript>
<main id="stage"></main>
<script type="text/plain" id="parts">{parts}</script>
<script type="text/plain" id="trees">{payload}</script>
<script type="module">
const digit = Object.fromEntries([..."{digits}"].map((c, i) => [c, i]));
function bytes(id) {{
  const text = document.getElementById(id).textContent;
  const view = new DataView(new ArrayBuffer(Math.ceil(text.length / 5) * 4));
  for (let i = 0; i < text.length; i += 5) {{
    let word = 0;
    for (let j = i; j < i + 5; j++) word = word * 85 + (digit[text[j]] ?? 84);
    view.setUint32((i / 5) * 4, word);
  }}
  return new Uint8Array(view.buffer, 0, Math.floor((text.length * 4) / 5));
}}
const unpacked = new Blob([bytes("parts")]).stream().pipeThrough(new DecompressionStream("deflate"));
const {{ style, module }} = await new Response(unpacked).json();
document.head.append(Object.assign(document.createElement("style"), {{ textContent: style }}));
const address = URL.createObjectURL(new Blob([module], {{ type: "text/javascript" }}));
const {{ standalone }} = await import(address);
URL.revokeObjectURL(address);
await standalone(document.getElementById("stage"), bytes("trees"));
</script>
</body>
</html>
"""


def stage_html(path_or_tree, data, rows=None, recommended=None):
    """Standalone HTML text of the stage.

    Arguments as for `viz.stage_payload.stage_payload`. The file opens from disk with the network cut off.
    """
    return stage_page(stage_payload(path_or_tree, data, rows, recommended=recommended), data.title)


def stage_page(payload, title):
    """Standalone HTML text around the bytes of `stage_payload`."""
    text = json.dumps({"style": lean(stage_style()), "module": lean(stage_module())}, ensure_ascii=False)
    parts = zlib.compress(text.encode(), 9)
    return _PAGE.format(
        title=html.escape(f"{title} – tree explorer"),
        parts=_base85(parts),
        payload=_base85(payload),
        digits=_DIGITS,
    )


def _base85(block):
    return base64.b85encode(block).decode().translate(_SAFE)
