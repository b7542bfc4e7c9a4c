/** The layout of every page: menu, search, content, and the list of the page's headings. */

import { posix } from "node:path"
import { escaped } from "@pay/schema/Markup"
import type { Heading, Rendered } from "./Markdown.ts"
import { type Page, type Section, titleOf } from "./Page.ts"

export const nameOf = (page: Page): string => page.name ?? titleOf(page)

const link = (from: Page, to: Page): string => posix.relative(posix.dirname(from.path), to.path)

const entry = (current: Page, page: Page): string => {
  const mark = page.path === current.path ? ' aria-current="page"' : ""
  return `<li><a href="${link(current, page)}"${mark}>${escaped(nameOf(page))}</a></li>`
}

const menu = (current: Page, sections: ReadonlyArray<Section>): string =>
  sections
    .map(({ pages, title }) => {
      const isOpen = pages.some(({ path }) => path === current.path)
      const entries = pages.map((page) => entry(current, page)).join("\n")
      return `<details${isOpen ? " open" : ""}><summary>${escaped(title)}</summary><ul>${entries}</ul></details>`
    })
    .join("\n")

const outline = (headings: ReadonlyArray<Heading>): string => {
  const entries = headings.filter(({ depth }) => depth === 2 || depth === 3)
  if (entries.length < 2) return ""
  const items = entries.map(
    ({ depth, id, text }) => `<li class="depth-${depth}"><a href="#${escaped(id)}">${escaped(text)}</a></li>`
  )
  return `<nav class="outline" aria-label="On this page"><p>On this page</p><ul>${items.join("\n")}</ul></nav>`
}

/** Returns the links to the previous and the next page of the menu. */
const neighbours = (current: Page, sections: ReadonlyArray<Section>): string => {
  const pages = sections.flatMap((section) => section.pages)
  const at = pages.findIndex(({ path }) => path === current.path)
  const [previous, next] = [pages[at - 1], pages[at + 1]]
  const to = (page: Page | undefined, rel: string, label: string) =>
    page === undefined
      ? "<span></span>"
      : `<a rel="${rel}" href="${link(current, page)}"><small>${label}</small>${escaped(nameOf(page))}</a>`
  return `<footer class="neighbours">${to(previous, "prev", "Previous")}${to(next, "next", "Next")}</footer>`
}

export const frame = (page: Page, { headings, html }: Rendered, sections: ReadonlyArray<Section>): string => {
  const up = posix.relative(posix.dirname(page.path), "") || "."
  return `<!doctype html>
<html lang="en" data-root="${up}/">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(titleOf(page))} · pay</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${up}/site.css">
<link rel="stylesheet" href="${up}/content.css">
<script defer src="${up}/site.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<button type="button" class="menu" aria-label="Menu" aria-controls="menu" aria-expanded="false">☰</button>
<a class="brand" href="${up}/index.html">pay</a>
<form role="search"><input type="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off" aria-controls="results"><kbd>/</kbd></form>
<div id="results" class="results" role="listbox" aria-label="Search results" hidden></div>
</header>
<nav id="menu" class="pages" aria-label="Pages">
${menu(page, sections)}
</nav>
<main id="content" tabindex="-1">
<article>
${html}</article>
${neighbours(page, sections)}
</main>
${outline(headings)}
</body>
</html>
`
}
