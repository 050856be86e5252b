# SPDX-License-Identifier: MIT
"""The guides as pages beside DocC's, with one index and one search: for Scripts/docs."""

import html
import json
import pathlib
import re
import shutil
import subprocess
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent

# (title, patterns): the sections of the index, in order; each page is in the first that names it.
SECTIONS = [
    ("Begin here", ["README.md", "docs/tutorials/assistant.md", "docs/tutorials/module.md", "docs/tutorials/server.md", "docs/installing.md"]),
    ("Guides", ["docs/*.md"]),
    ("Runbooks", ["docs/runbooks/*.md"]),
    ("Packages", ["Packages/*/README.md", "Apps/*/README.md"]),
    ("Measurements", ["Scripts/bench.d/*.md"]),
    ("Decisions", ["ADR/*.md"]),
    ("The project", ["CONTRIBUTING.md", "CHANGELOG.md"]),
]

STYLE = """
:root { color-scheme: light dark; --text: #1b1f24; --back: #fff; --soft: #57606a; --line: #d0d7de; --link: #0550ae; --code: #f6f8fa }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --back: #0d1117; --soft: #9aa4af; --line: #3d444d; --link: #79b8ff; --code: #161b22 } }
body { font: 1rem/1.6 system-ui, sans-serif; color: var(--text); background: var(--back); max-width: 52rem; margin: 0 auto; padding: 1rem }
a { color: var(--link) } nav { display: flex; gap: 1rem; flex-wrap: wrap; border-bottom: 1px solid var(--line); padding-bottom: .5rem }
pre, code { font: .875rem/1.5 ui-monospace, monospace; background: var(--code) } pre { padding: .75rem; overflow-x: auto }
table { border-collapse: collapse; display: block; overflow-x: auto } td, th { border: 1px solid var(--line); padding: .3rem .6rem; text-align: start }
img { max-width: 100% } input { font: inherit; width: 100%; padding: .5rem; box-sizing: border-box } #found li { margin: .5rem 0 }
#found span { color: var(--soft); display: block }
"""

SEARCH = """
const field = document.getElementById("query"), list = document.getElementById("found");
const base = new URL(".", document.currentScript.src);
let pages;
async function search() {
  const words = field.value.toLowerCase().split(/[^\\p{L}\\p{N}]+/u).filter(Boolean);
  pages ??= await (await fetch(new URL("search.json", base))).json();
  const found = [];
  for (const page of words.length ? pages : []) {
    const [title, text] = [page.title.toLowerCase(), (page.place + " " + page.text).toLowerCase()];
    let score = 0;
    for (const word of words) {
      const here = (title.startsWith(word) ? 8 : title.includes(word) ? 5 : 0) + (text.includes(word) ? 1 : 0);
      if (!here) { score = 0; break }
      score += here;
    }
    if (score) found.push([score, page]);
  }
  found.sort((a, b) => b[0] - a[0] || a[1].title.length - b[1].title.length);
  list.replaceChildren(...found.slice(0, 40).map(([, page]) => {
    const [item, link, note] = ["li", "a", "span"].map((name) => document.createElement(name));
    link.href = new URL(page.url, base); link.textContent = page.title;
    note.textContent = page.place + (page.text ? ": " + page.text.slice(0, 160) : "");
    item.append(link, note);
    return item;
  }));
  if (words.length && !found.length) list.textContent = "Nothing has all these words.";
}
field.addEventListener("input", search);
field.value = new URLSearchParams(location.search).get("q") ?? "";
if (field.value) search();
"""


class Broken(Exception):
    pass


def slug(text):
    """A heading's anchor, as public forges make it."""
    return re.sub(r"[^\w\- ]", "", html.unescape(re.sub(r"<[^>]*>", "", text)).strip().lower()).replace(" ", "-")


def plain(text):
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", text)).split())


class Page:
    """One Markdown file as HTML."""

    def __init__(self, path, text=None):
        self.path = path
        text = (ROOT / path).read_text(encoding="utf-8") if text is None else text
        body = subprocess.run(
            ["cmark-gfm", "--extension", "table", "--extension", "strikethrough"], input=text, capture_output=True, text=True,
            check=True).stdout
        self.anchors, counts = {"": ""}, {}

        def heading(match):
            anchor = slug(match[2])
            counts[anchor] = counts.get(anchor, -1) + 1
            anchor += f"-{counts[anchor]}" if counts[anchor] else ""
            self.anchors[anchor] = plain(match[2])
            return f'<h{match[1]} id="{anchor}">{match[2]}</h{match[1]}>'

        self.body = re.sub(r"<h([1-6])>(.*?)</h\1>", heading, body, flags=re.DOTALL)
        self.title = next((title for anchor, title in self.anchors.items() if anchor), path)

    @property
    def url(self):
        return "guides/" + self.path.removesuffix(".md") + ".html"

    def sections(self):
        """(anchor, heading, text) for the search."""
        parts = re.split(r'<h[1-6] id="([^"]*)">(.*?)</h[1-6]>', self.body, flags=re.DOTALL)
        for anchor, title, text in zip(parts[1::3], parts[2::3], parts[3::3]):
            yield anchor, plain(title), plain(text)


def linked(page, pages, files):
    """The page's body with links to pages and files of the site; adds to files what must be copied."""
    def link(match):
        name, address = match[1], html.unescape(match[2])
        parts = urllib.parse.urlsplit(address)
        if parts.scheme or parts.netloc:
            return match[0]
        target = page.path
        if parts.path:
            place = (ROOT / page.path).parent / urllib.parse.unquote(parts.path)
            try:
                target = str(place.resolve().relative_to(ROOT))
            except ValueError:
                raise Broken(f"{page.path}: {address} leads out of the repository") from None
        if target in pages:
            if parts.fragment not in pages[target].anchors:
                raise Broken(f"{page.path}: {address}: there is no such heading")
            path = parts.path.removesuffix(".md") + ".html" if parts.path else ""
            return f'{name}="{html.escape(path + ("#" + parts.fragment if parts.fragment else ""))}"'
        if (ROOT / target).is_file():
            files.add(target)
            return match[0]
        if (ROOT / target).is_dir() and target + "/README.md" in pages:
            return f'{name}="{html.escape(parts.path.rstrip("/"))}/README.html"'
        if (ROOT / target).is_dir():
            # A folder of the sources has no page.
            return 'title="' + html.escape(target) + '"'
        raise Broken(f"{page.path}: {address} leads nowhere")

    return re.sub(r'\b(href|src)="([^"]*)"', link, page.body)


def document(title, body, depth):
    up = "../" * depth
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{html.escape(title)}</title><link rel="stylesheet" href="{up}guides.css">'
        f'<nav><a href="{up}index.html">Parley</a><a href="{up}documentation/index.html">API reference</a></nav>'
        f"<main>{body}</main></html>\n")


def symbols(output):
    """DocC's pages for the search."""
    index = output / "index" / "index.json"
    if not index.is_file():
        return

    def walk(nodes, module):
        for node in nodes:
            path = node.get("path", "").strip("/")
            # documentation/MODULE
            here = node["title"] if path.count("/") == 1 else module
            if path and node.get("type") != "groupMarker":
                yield {"title": node["title"], "place": f"API, {here}", "url": f"{path}/index.html", "text": ""}
            yield from walk(node.get("children", []), here)

    for nodes in json.loads(index.read_text(encoding="utf-8"))["interfaceLanguages"].values():
        yield from walk(nodes, "")


def write(output):
    """Writes the guides into DocC's site, and its first page; returns their number.

    Raises Broken for a link that leads nowhere.
    """
    pages, order = {}, []
    for title, patterns in SECTIONS:
        paths = [str(path.relative_to(ROOT)) for each in patterns for path in sorted(ROOT.glob(each))]
        fresh = [path for path in dict.fromkeys(paths) if path not in pages]
        pages |= {path: Page(path) for path in fresh}
        order.append((title, fresh))
    files, entries = set(), []
    for path, page in pages.items():
        body = linked(page, pages, files)
        place = output / page.url
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(document(page.title, body, page.url.count("/")), encoding="utf-8")
        # What the changelog says of a thing, the guides say better.
        for anchor, heading, text in [] if path == "CHANGELOG.md" else page.sections():
            entries.append({"title": heading, "place": page.title, "url": f"{page.url}#{anchor}", "text": text})
    for path in files:
        (output / "guides" / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, output / "guides" / path)
    entries += symbols(output)
    (output / "search.json").write_text(json.dumps(entries, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
    (output / "guides.css").write_text(STYLE, encoding="utf-8")
    (output / "search.js").write_text(SEARCH, encoding="utf-8")
    lists = "".join(
        f"<h2>{title}</h2><ul>" + "".join(f'<li><a href="{pages[path].url}">{html.escape(pages[path].title)}</a></li>' for path in paths)
        + "</ul>" for title, paths in order)
    body = (
        '<h1>Parley</h1><label for="query">Search the guides and the API reference</label><input id="query" type="search">'
        f'<ol id="found" aria-live="polite"></ol><script src="search.js"></script>{lists}')
    (output / "index.html").write_text(document("Parley", body, 0), encoding="utf-8")
    return len(pages)


def notices_broken_links():
    """Proves on samples that a link that leads nowhere is found, and that a right one is not."""
    def is_broken(text):
        page = Page("docs/sample.md", text)
        try:
            linked(page, {page.path: page, "docs/models.md": Page("docs/models.md")}, set())
        except Broken:
            return True
        return False

    return all(map(is_broken, ["[x](nothing.md)", "[x](#nothing)", "[x](models.md#nothing)", "![x](../../x.png)"])) and not any(
        map(is_broken, ["# A\n[x](#a)", "[x](models.md#chat)", "[x](https://example.org/a#b)", "[x](../Scripts/docs)"]))
