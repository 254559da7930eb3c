"""What the site does with links, since the pages are read in the repository, too.

A link that shows the name of a page shows its title here. `CHANGELOG.md` becomes a page. A link to any
other file, or to a folder, becomes its name; if the config has a `repo_url`, it leads there.
"""

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

CHANGELOG = "CHANGELOG.md"
LINK = re.compile(r"\[([^\]]+)\]\(([^)\s#:]+)(#[^)\s]*)?\)")


def on_files(files: Files, config: Any, **_: Any) -> Files:
    text = (Path(config.docs_dir).parent / CHANGELOG).read_text(encoding="utf-8")
    files.append(File.generated(config, CHANGELOG.lower(), content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, **_: Any) -> str:
    source = page.file.src_uri
    folder = posixpath.dirname(source)
    home = "" if source == CHANGELOG.lower() else posixpath.join("docs", folder)

    def lead(link: re.Match[str]) -> str:
        text, target, anchor = link[1], link[2], link[3] or ""
        path = posixpath.normpath(posixpath.join(home, target))
        if path == CHANGELOG:
            return f"[{text}]({posixpath.relpath(CHANGELOG.lower(), folder or '.')}{anchor})"
        if path.startswith("docs/") and posixpath.splitext(path)[1]:
            if text.endswith(".md"):
                page_text = (Path(config.docs_dir).parent / path).read_text(encoding="utf-8")
                text = page_text.partition("\n")[0].removeprefix("# ")
            return f"[{text}]({posixpath.relpath(path, posixpath.join('docs', folder))}{anchor})"
        shown = text if "`" in text else f"`{text}`"
        return f"[{text}]({config.repo_url.rstrip('/')}/blob/main/{path})" if config.repo_url else shown

    return LINK.sub(lead, markdown)
