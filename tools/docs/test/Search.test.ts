/**
 * The search finds each name that a reader may look up: on the first page that it finds, the name stands as it was sought. The pages are
 * indexed as VitePress does it, in sections; tests/browser/Documentation.test.ts searches the index of the built site.
 */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Client from "@pay/client"
import * as ErrorCode from "@pay/schema/ErrorCode"
import * as PayApi from "@pay/schema/PayApi"
import MiniSearch from "minisearch"
import { commands } from "../../../apps/cli/src/Commands.ts"
import * as ConfigFile from "../../../gateway/server/src/ConfigFile.ts"
import * as ConfigTable from "../../../gateway/server/src/ConfigTable.ts"
import * as SearchTerms from "../src/site/SearchTerms.ts"
import * as Site from "../src/site/Site.ts"

const root = join(import.meta.dirname, "../../..")
const pages = new Map([...Site.collect(root).texts].filter(([path]) => path.endsWith(".md")))

/** The sections of a page, each with its heading and those above it. */
const sectionsOf = (path: string, markdown: string) => {
  const titles: Array<string> = []
  return markdown.split(/^(?=#+ )/m).map((section, index) => {
    const [, marks = "#", title = ""] = /^(#+) (.*)$/m.exec(section) ?? []
    titles.splice(marks.length - 1, titles.length, title)
    return { id: `${path}#${index}`, title, titles: titles.slice(0, -1), text: section }
  })
}

const index = new MiniSearch(SearchTerms.miniSearch)
index.addAll([...pages].flatMap(([path, markdown]) => sectionsOf(path, markdown)))

const isFound = (name: string): boolean => {
  const [first] = index.search(name, SearchTerms.searchOptions)
  const [path = ""] = String(first?.id).split("#")
  return pages.get(path)?.includes(name) ?? false
}

const settings = ConfigTable.entries(ConfigFile.File)

/** Variables of the environment that sources of packages and programs name. */
const variables = new Set(
  globSync("{packages,gateway,apps}/*/src/**/*.ts", { cwd: root }).flatMap(
    (path) => readFileSync(join(root, path), "utf8").match(/(?<=")(?:PAY|SHOP)_[A-Z][A-Z_]+(?=")/g) ?? []
  )
)

describe("the search of the site finds", () => {
  it.each([
    ["each operation", PayApi.all.map(({ command }) => command)],
    ["each code of a refusal", Object.values(ErrorCode.codes).map(({ code }) => String(code))],
    ["each name of a refusal", Object.keys(ErrorCode.codes)],
    ["each error of the client", Object.keys(Client).filter((name) => name.endsWith("Error"))],
    [
      "each flag",
      [...new Set(Object.values(commands).flatMap(({ flags }) => Object.keys(flags).map((flag) => `--${flag}`)))]
    ],
    ["each setting", settings.map(({ path }) => path.join("."))],
    ["each variable of a setting", settings.flatMap(({ environment }) => environment ?? [])],
    ["each variable that a source names", [...variables]],
    [
      "words of the field",
      ["SAQ A", "SAQ A-EP", "SAQ D", "3-D Secure", "HMAC-SHA1", "RSA-SHA256", "v4/status", "PCI DSS"]
    ]
  ])("%s", (_, names) => {
    expect(names.length).toBeGreaterThan(5)
    expect(names.filter((name) => !isFound(name))).toEqual([])
  })
})
