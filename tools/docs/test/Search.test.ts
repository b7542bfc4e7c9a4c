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
  const text = markdown.replaceAll(/^```[\s\S]*?^```/gm, (program) => program.replaceAll(/^#/gm, " #"))
  return text.split(/^(?=#+ )/m).map((section, index) => {
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
      ["cardrefid", "SAQ A", "SAQ A-EP", "SAQ D", "3-D Secure", "HMAC-SHA1", "RSA-SHA256", "v4/status", "PCI DSS"]
    ]
  ])("%s", (_, names) => {
    expect(names.length).toBeGreaterThan(5)
    expect(names.filter((name) => !isFound(name))).toEqual([])
  })
})

/** What a merchant or an operator types, and the pages of which one must be among the first three results. */
const queries: ReadonlyArray<readonly [query: string, pages: string]> = [
  ["pay call", "cli"],
  ["pay explain", "cli"],
  ["pay doctor", "cli"],
  ["pay listen", "cli callbacks"],
  ["pay crashtest", "crash-testing"],
  ["pay conformance", "conformance"],
  ["refund", "refunds"],
  ["partial refund", "refunds"],
  ["capture", "refunds"],
  ["void", "flows/authorization operations/void"],
  ["callback twice", "callbacks"],
  ["verify callback", "callbacks"],
  ["webhook", "callback-format"],
  ["3ds test", "test-cards"],
  ["how to test 3-D Secure", "3-d-secure test-cards"],
  ["test card", "test-cards"],
  ["control wrong", "errors"],
  ["order not found", "errors error-codes"],
  ["stored card", "stored-cards"],
  ["recurring payment", "subscriptions"],
  ["subscription", "stored-cards subscriptions"],
  ["payout", "payouts"],
  ["payout balance", "payouts"],
  ["timeout", "client"],
  ["lost answer", "flows from-plain-http"],
  ["rate limit", "monitoring"],
  ["PCI", "going-live"],
  ["go live", "going-live"],
  ["control key", "callback-format client"],
  ["rotate key", "merchants"],
  ["JPY amount", "checkout sandbox"],
  ["hosted page", "checkout"],
  ["checkout form", "checkout"],
  ["Jest", "testing"],
  ["CI test", "testing"],
  ["Pay.fromEnv", "client"],
  ["fromEnv", "client"],
  ["testGateway", "testing"],
  ["backup", "backup"],
  ["postgres", "postgres"],
  ["chargeback", "after-final-status"],
  ["sandbox endpoints", "sandbox"],
  ["PHP", "callback-format vectors"],
  ["v4/status", "operations/v4-status"],
  ["card declined", "errors error-codes test-cards"]
]

it.each(queries)(
  "the search of the site for “%s” has one of these among its first three results: %s",
  (query, names) => {
    const results = index.search(query, SearchTerms.searchOptions).slice(0, 3)
    const paths = results.map(({ id }) => String(id).replace(/^(?:merchants|operators)\/|\.md#.*$/g, ""))
    expect(paths).toEqual(expect.arrayContaining([expect.toSatisfy((path) => names.split(" ").includes(path))]))
  }
)
