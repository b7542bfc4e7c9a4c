/** The configuration of VitePress. */
import { type DefaultTheme, defineConfig } from "vitepress"
import * as Diagram from "./Diagram.ts"
import * as SearchTerms from "./SearchTerms.ts"

type Renderer = Parameters<NonNullable<NonNullable<Parameters<typeof defineConfig>[0]["markdown"]>["config"]>>[0]

/** Draws state diagrams when the site is built. */
const diagrams = ({ renderer: { rules } }: Renderer): void => {
  const fence = rules.fence
  rules.fence = (tokens, index, ...others) => {
    const { content = "", info = "" } = tokens[index] ?? {}
    const drawing = info.trim() === "mermaid" ? Diagram.draw(content) : undefined
    return drawing === undefined ? (fence?.(tokens, index, ...others) ?? "") : `<figure v-pre>${drawing}</figure>\n`
  }
}

/** Columns whose cells need no name in a narrow window, because they are read as one text. */
const flowing: ReadonlySet<string> = new Set([
  "Needed",
  "Present",
  "Meaning",
  "Format",
  "Example",
  "HTTP status",
  "Message"
])

/** Names the column of each cell, for narrow windows, where the cells of a row stand below each other. */
const columns = ({ core }: Renderer): void => {
  core.ruler.push("columns", ({ tokens }) => {
    let heads: Array<string> = []
    let column = 0
    for (const [index, token] of tokens.entries()) {
      if (token.type === "table_open") heads = []
      else if (token.type === "tr_open") column = 0
      else if (token.type === "th_open") heads.push(tokens[index + 1]?.content.replaceAll("`", "") ?? "")
      else if (token.type === "td_open") {
        const head = heads[column++] ?? ""
        token.attrSet("data-column", head)
        if (flowing.has(head)) token.attrJoin("class", "flowing")
      }
    }
  })
}

export type Menus = Pick<Required<DefaultTheme.Config>, "nav" | "sidebar">

/** `tabs` is the plugin for tabs: its types are those of another version of the renderer. */
export default (menus: Menus, tabs: (renderer: Renderer) => void) =>
  defineConfig({
    title: "pay",
    description: "Card payments and payouts, server to server",
    lang: "en",
    // The index of the search is one large chunk, which is loaded when a reader opens the search.
    vite: { build: { chunkSizeWarningLimit: 8192 } },
    head: [["link", { rel: "icon", href: "data:," }]],
    markdown: {
      theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
      // The headings of the documents have the addresses that GitHub gives them.
      anchor: {
        slugify: (heading) =>
          heading
            .toLowerCase()
            .replace(/[^\p{L}\p{N} _-]/gu, "")
            .replaceAll(" ", "-")
      },
      config: (renderer) => {
        tabs(renderer)
        diagrams(renderer)
        columns(renderer)
      }
    },
    // The lists of the first page and the tables of operations need the width.
    transformPageData: ({ frontmatter, relativePath }) =>
      /^(?:index\.md$|merchants\/operations\/)/.test(relativePath)
        ? { frontmatter: { ...frontmatter, aside: false } }
        : undefined,
    themeConfig: {
      ...menus,
      outline: [2, 3],
      search: {
        provider: "local",
        options: {
          miniSearch: { options: SearchTerms.options, searchOptions: SearchTerms.searchOptions }
        }
      }
    }
  })
