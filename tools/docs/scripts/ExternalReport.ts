/** `docs/external.md`: which snippets worked, with which programs, and on which day. */
import { page, table } from "../src/pages/Markdown.ts"
import { type Language, languages, type VectorLanguage, vectorLanguages } from "../src/snippets/Language.ts"
import type { ShopRun } from "./ShopRuns.ts"

export interface Result {
  /** An operation's command, or what was checked of a callback. */
  readonly of: string
  readonly language: Language | VectorLanguage
  readonly problem: string | undefined
}

export interface Run {
  readonly results: ReadonlyArray<Result>
  readonly shops: ReadonlyArray<ShopRun>
  readonly versions: ReadonlyArray<readonly [language: Language | VectorLanguage, version: string]>
  readonly missing: ReadonlyArray<string>
  readonly day: string
}

const columns = [...new Set([...languages, ...vectorLanguages])]

const cell = (results: ReadonlyArray<Result>, of: string, language: Language | VectorLanguage): string => {
  const result = results.find((each) => each.of === of && each.language === language)
  if (result === undefined) return ""
  return mark(result.problem)
}

const mark = (problem: string | undefined): string => (problem === undefined ? "works" : "**fails**")

/** Rows are what the shop promises, columns its web server and runtime. */
const shopTable = (shops: ReadonlyArray<ShopRun>): string => {
  const names = [...new Set(shops.map(({ shop }) => shop))]
  const promises = [...new Set(shops.map(({ promise }) => promise))]
  const cellOf = (promise: string, name: string) => {
    const result = shops.find((each) => each.promise === promise && each.shop === name)
    return result === undefined ? "" : mark(result.problem)
  }
  const heading = names.map((name) => name.replace(/^.* on (\w+), run by /, "$1, "))
  return table(
    ["A shop that", ...heading],
    promises.map((promise) => [promise, ...names.map((name) => cellOf(promise, name))])
  )
}

export const write = ({ day, missing, results, shops, versions }: Run): string => {
  const failures = results.filter(({ problem }) => problem !== undefined)
  const failedShops = shops.filter(({ problem }) => problem !== undefined)
  const total = results.length + shops.length
  const rows = [...new Set(results.map(({ of }) => of))]
  return page(
    "# Snippets against a sandbox",
    `\`npm run test:external\` writes this page. It runs every snippet of the documentation site against a sandbox gateway on a port: the
request of each operation, and the check of callbacks. The gateway delivers one of these callbacks. The command also runs the programs of
[signing vectors](vectors.md) with correct and with wrong vectors. It runs the shop of [the client's guide](client.md) on the oldest
supported Node, on Bun and on Deno. It is not part of \`npm test\`, because it needs these languages. Run it before a release.`,
    `Last run: ${day}. ${total - failures.length - failedShops.length} of ${total} worked.`,
    table(["Language", "Version"], versions),
    missing.length === 0 ? "" : `Not installed, and left out: ${missing.join(", ")}.`,
    table(
      ["Snippet", ...columns],
      rows.map((of) => [of, ...columns.map((language) => cell(results, of, language))])
    ),
    shopTable(shops),
    ...failedShops.map(({ problem, promise, shop }) => `${shop} ${promise}:\n\n\`\`\`text\n${problem}\n\`\`\``),
    ...failures.map(({ language, of, problem }) => `${of}, ${language}:\n\n\`\`\`text\n${problem}\n\`\`\``)
  )
}
