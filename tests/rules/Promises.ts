/** Draws `docs/promises.md`: what the tests promise, and the file that proves it. */
import { dirname } from "node:path"
import { files, read } from "../../scripts/Workspace.ts"

const test = /^(packages|apps)\/[^/]+\/test\/.*\.test\.ts$|^(tests|examples)\/.*\.test\.ts$/

/** The level of a folder: promises are proved at the lowest one that can. */
const levels: ReadonlyArray<readonly [title: string, folder: RegExp]> = [
  ["Pure values and single modules", /^packages\//],
  ["Programs", /^apps\//],
  ["Flows against a gateway", /^tests\/(workflows|cluster)\//],
  ["The gateway on a socket", /^tests\/(system|older|callbacks|canary|faults|gateways|golden)\//],
  ["Files and processes that fail", /^tests\/(crash|disk)\//],
  ["PostgreSQL, and many processes on it", /^tests\/(postgres|pgbouncer|many|move|growth|processes)\//],
  ["Combinations, from a seed", /^tests\/(simulation|mutation)\//],
  ["The sample shop, and pages in a browser", /^tests\/(shop|browser)\//],
  ["The repository, packages and examples", /^(tests\/(rules|release)|examples)\//]
]

const call = /(?:^|\n)( *)(describe|it)(?:\.\w+)*(?:\.each\((?:[^()]|\([^()]*\))*\))?\(\s*["`]([^"`\n]+)["`]/g
/** A group whose tests share services: `layer(services, options)("its title", (it) => …)`. */
const sharing = /(?:^|\n)( *)(?:it\.)?layer\([\s\S]*?\)\(\s*["`]([^"`\n]+)["`],\s*\(it\) =>/g

interface Title {
  readonly at: number
  readonly indent: number
  readonly isGroup: boolean
  readonly title: string
}

/** The titles of a file's groups and tests, in their order. */
const titlesOf = (text: string): ReadonlyArray<Title> =>
  [
    ...[...text.matchAll(call)].map(
      ({ index, 1: { length: indent } = "", 2: kind, 3: title = "" }): Title => ({
        ...{ at: index, indent, title },
        isGroup: kind === "describe"
      })
    ),
    ...[...text.matchAll(sharing)].map(
      ({ index, 1: { length: indent } = "", 2: title = "" }): Title => ({ at: index, indent, title, isGroup: true })
    )
  ].sort((one, other) => one.at - other.at)

/** The tests of a file, each with the group that it stands in. */
const promises = (text: string): ReadonlyArray<string> => {
  const groups: Array<{ readonly indent: number; readonly title: string }> = []
  return titlesOf(text).flatMap(({ indent, isGroup, title }) => {
    while ((groups.at(-1)?.indent ?? -1) >= indent) groups.pop()
    if (isGroup) {
      groups.push({ indent, title })
      return []
    }
    return [[...groups.map((group) => group.title), title].join(": ")]
  })
}

const cell = (title: string): string => title.replaceAll("\\", "")

const list = (path: string): string => {
  const name = path.split("/").at(-1)?.replace(".test.ts", "") ?? path
  const lines = promises(read(path)).map((promise) => `- ${cell(promise)}`)
  return `[${name}](../${path})\n\n${lines.length === 0 ? `- ${name}` : lines.join("\n")}`
}

const section = (title: string, paths: ReadonlyArray<string>): string => {
  const folders = Map.groupBy(paths, (path) => dirname(path).split("/").slice(0, 2).join("/"))
  const lists = [...folders].map(([folder, members]) => `### \`${folder}\`\n\n${members.map(list).join("\n\n")}`)
  return `## ${title}\n\n${lists.join("\n\n")}`
}

/** The page. A test whose folder has no level is an error. */
export const page = (): string => {
  const paths = files.filter((path) => test.test(path))
  const rest = paths.filter((path) => !levels.some(([, folder]) => folder.test(path)))
  if (rest.length > 0) throw new Error(`tests/rules/Promises.ts has no level for ${rest.join(", ")}`)
  const sections = levels.map(([title, folder]) =>
    section(
      title,
      paths.filter((path) => folder.test(path))
    )
  )
  return `# What the tests promise

Written by \`npm run docs\` from the titles of the tests. Each list is a file: what its tests promise. \`%s\`, \`$0\` and a name in braces stand for the rows
of a table. A promise is proved once, at the lowest level that can prove it; the simulation covers combinations.

${sections.join("\n\n")}
`
}
