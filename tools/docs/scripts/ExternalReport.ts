/** `docs/contributors/external.md`: which snippets worked, with which programs, and on which day. */
import * as Projects from "../../../tests/release/Projects.ts"
import { page, table } from "../src/pages/Markdown.ts"
import type { Language, VectorLanguage } from "../src/snippets/Language.ts"
import type { ClientRun, Left } from "./ClientRuns.ts"
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
  readonly clients: { readonly runs: ReadonlyArray<ClientRun>; readonly left: ReadonlyArray<Left> }
  readonly versions: ReadonlyArray<readonly [language: Language | VectorLanguage, version: string]>
  readonly missing: ReadonlyArray<string>
  /** Paths of this machine, and the words that stand for them in the page. */
  readonly places: ReadonlyArray<readonly [path: string, word: string]>
  readonly day: string
}

const worked = (results: ReadonlyArray<{ readonly problem: string | undefined }>): string =>
  `${results.filter(({ problem }) => problem === undefined).length} of ${results.length}`

/** How many snippets of a language worked, and in which version. */
const languageTable = ({ results, versions }: Run): string =>
  table(
    ["Language", "Version", "Worked"],
    versions.map(([name, version]) => [name, version, worked(results.filter(({ language }) => language === name))])
  )

/** The tables of the suites, by the begin of their titles. A suite belongs to the first that fits. */
const shopTables: ReadonlyArray<readonly [heading: string, title: string]> = [
  ["The files of a release", "the files of a release, "],
  ["The packed client in a project with", "the client in a project with "],
  ["The packed client", "the client "],
  ["The libraries on a Node that is too old", "the libraries on "],
  ["The client's shop, receivers and network", ""]
]

/** How many promises hold in each project, on each runtime and on each framework. */
const tablesOf = (shops: ReadonlyArray<ShopRun>): ReadonlyArray<string> => {
  const titleOf = ({ shop }: ShopRun) => shopTables.find(([, title]) => shop.startsWith(title))?.[1]
  return shopTables.flatMap(([heading, title]) => {
    const own = shops.filter((run) => titleOf(run) === title)
    const rows = [...Map.groupBy(own, ({ shop }) => shop)].map(([shop, runs]) => [
      shop.slice(title.length),
      worked(runs)
    ])
    return rows.length === 0 ? [] : [table([heading, "Worked"], rows)]
  })
}

/** How many promises of each public client hold, and which clients were left out. */
const clientTable = ({ left, runs }: Run["clients"]): string =>
  table(
    ["Public client of the older dialect", "Worked"],
    [
      ...[...Map.groupBy(runs, ({ client }) => client)].map(([client, own]) => [client, worked(own)]),
      ...left.map(({ client, why }) => [client, `left out: ${why}`])
    ]
  )

interface Failure {
  readonly what: string
  readonly problem: string | undefined
}

/** Each failure under its name, without the paths of this machine. */
const failures = ({ clients, places, results, shops }: Run): ReadonlyArray<string> => {
  const all: ReadonlyArray<Failure> = [
    ...clients.runs.map(({ client, problem, promise }) => ({ what: `${client}, ${promise}`, problem })),
    ...shops.map(({ problem, promise, shop }) => ({ what: `${shop} ${promise}`, problem })),
    ...results.map(({ language, of, problem }) => ({ what: `${of}, ${language}`, problem }))
  ]
  const published = (text: string) =>
    places.reduce((left, [path, word]) => (path === "" ? left : left.replaceAll(path, word)), text)
  return all.flatMap(({ problem, what }) =>
    problem === undefined ? [] : [`${what}:\n\n\`\`\`text\n${published(problem)}\n\`\`\``]
  )
}

export const write = (run: Run): string => {
  const { clients, day, missing, results, shops } = run
  return page(
    "# With other languages, tools and clients",
    `\`npm run test:external\` writes this page. Run it before a release: it needs other languages and the network, so it is not part of
\`npm test\`. It runs

- every snippet of the documentation site against a sandbox gateway on a port: the request of each operation, and the check of callbacks,
  of which the gateway delivers one; and the programs of [signing vectors](../merchants/vectors.md) with correct and with wrong vectors;
- the files of a release, each installed in a clean project;
- the packed client in projects with the tools of others, in these versions: ${Projects.packages.map((name) => `\`${name}\``).join(", ")};
- the shop of [the client's guide](../merchants/client.md) on the oldest supported Node, on Bun and on Deno, how their \`fetch\` reports the
  failures of a network, and the [receivers of callbacks](../merchants/callback-receivers.md) on their web frameworks;
- public clients of the [older dialect](../merchants/older-dialect.md) with their own code, from clones of their repositories in the folder
  that \`PAY_EXTERNAL_CLIENTS\` names.`,
    `Last run: ${day}. ${worked([...results, ...shops, ...clients.runs])} worked.`,
    languageTable(run),
    missing.length === 0 ? "" : `Not installed, and left out: ${missing.join(", ")}.`,
    ...tablesOf(shops),
    clientTable(clients),
    ...failures(run)
  )
}
