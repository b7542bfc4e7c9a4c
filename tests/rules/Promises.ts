/**
 * Draws `docs/promises.md`: what the tests promise, and the file that proves it. Titles are read from the sources. A title that is only a
 * value of a table stands for the names of the table's rows, and tests that another module declares stand for that module's list.
 */
import { dirname, posix } from "node:path"
import { files, packages, read } from "../../scripts/Workspace.ts"
import { publicModules } from "./Reach.ts"

const isTest = (path: string): boolean =>
  path.endsWith(".test.ts") && /^(?:(?:packages|gateway|tools|apps)\/[^/]+\/test|tests|examples)\//.test(path)

/** Modules whose exports declare tests over a layer that a test file gives: contracts, and suites of many stores. */
const isShared = (path: string): boolean =>
  /^(?:packages|gateway|tools)\/[^/]+\/src\/(?:storeContract\/|\w+Contract\.ts$)/.test(path) ||
  /^tests\/(?:many|faults|postgres)\/\w+\.ts$/.test(path)

/** The level of a folder: promises are proved at the lowest one that can. */
const levels: ReadonlyArray<readonly [title: string, folder: RegExp]> = [
  ["Pure values and single modules", /^(?:packages|gateway|tools)\//],
  ["Programs", /^apps\//],
  ["Flows against a gateway", /^tests\/(workflows|cluster)\//],
  ["The gateway on a socket", /^tests\/(system|older|callbacks|canary|faults|gateways|golden)\//],
  ["Files and processes that fail", /^tests\/(crash|disk)\//],
  ["PostgreSQL, and many processes on it", /^tests\/(postgres|pgbouncer|many|move|growth|processes)\//],
  ["Combinations, from a seed", /^tests\/(simulation|mutation)\//],
  ["The sample shop, and pages in a browser", /^tests\/(shop|browser)\//],
  ["The repository, packages and examples", /^(tests\/(rules|release)|examples)\//]
]

interface Title {
  readonly at: number
  readonly end: number
  readonly indent: number
  readonly isGroup: boolean
  readonly title: string
}

const text = /["`]([^"`\n]+)["`]/.source
/** The arguments of `each`, with parentheses in parentheses. */
const each = /(?:\.each\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?/.source

/** A file's own functions that declare a test, with the parameter that is its title. */
const aliases = (source: string): ReadonlyArray<readonly [name: string, parameter: string]> => {
  const starts = [...source.matchAll(/^ *const (\w+) =\s*(?:<[^=]*>)?\(\s*(\w+)|^ *describe\(/gm)]
  return starts.flatMap(({ index, 1: name, 2: parameter = "" }, position) => {
    const body = source.slice(index, starts[position + 1]?.index)
    const declares = new RegExp(`\\b(?:it|test)(?:\\.\\w+)*\\(\\s*(?:\`[^\`]*\\$\\{)?${parameter}\\b`).test(body)
    return name !== undefined && declares ? [[name, parameter]] : []
  })
}

/** The titles of a file's groups and tests, in their order. */
const titlesOf = (source: string): ReadonlyArray<Title> => {
  const own = aliases(source)
  const tests = ["describe", "it", "test", "make", "Case.make", ...own.map(([name]) => name)].map((name) =>
    name.replace(".", "\\.")
  )
  const call = new RegExp(`(?:^|\\n)( *)(${tests.join("|")})(?:\\.\\w+)*${each}\\(\\s*(?:${text}|(\\w+),)`, "g")
  /** A group whose tests share services: `layer(services, options)("its title", (it) => …)`. */
  const sharing = new RegExp(`(?:^|\\n)( *)(?:it\\.)?layer\\([^]*?\\)\\(\\s*(?:${text}|(\\w+)),\\s*\\(it\\) =>`, "g")
  return [
    ...[...source.matchAll(call)].map(
      ({ index, 0: { length }, 1: { length: indent } = "", 2: kind, 3: title, 4: row = "" }): Title => ({
        ...{ at: index, end: index + length, indent, title: title ?? `\${${row}}` },
        isGroup: kind === "describe"
      })
    ),
    ...[...source.matchAll(sharing)].map(
      ({ index, 0: { length }, 1: { length: indent } = "", 2: title, 3: row = "" }): Title => ({
        ...{ at: index, end: index + length, indent, isGroup: true },
        title: title ?? `\${${row}}`
      })
    )
  ]
    .filter(({ title }) => !own.some(([, parameter]) => title === `\${${parameter}}`))
    .sort((one, other) => one.at - other.at)
}

/** Whether a title is only values of a table. */
const isOfRows = (title: string): boolean => !/[a-z]{3}/i.test(title.replace(/\$\{[^}]*\}|%\w|\$\w+/g, ""))

/** The first cells of the rows of tables that are written as text. */
const textNames = (source: string): ReadonlyArray<string> =>
  [...source.matchAll(/ = `\n([^`]+\|[^`]+)`/g)].flatMap(([, table = ""]) =>
    table
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split("|", 1).join().trim())
  )

/** The first texts of the rows of tables. */
const rowNames = (source: string): ReadonlyArray<string> =>
  [
    ...[
      ...source.matchAll(/(?:^|[[,(]) *\[\s*"((?:[^"\\\n]|\\.)+)",|\{ (?:name|what|title): "((?:[^"\\\n]|\\.)+)"/gm)
    ].map(([, name, named = ""]) => name ?? named),
    ...textNames(source)
  ].filter((name) => /[a-z]{3}/i.test(name))

/** The tests of a file, each with the group that it is in. */
export const promises = (source: string): ReadonlyArray<string> => {
  const groups: Array<{ readonly indent: number; readonly title: string }> = []
  let from = 0
  const titles = titlesOf(source)
  return titles.flatMap(({ at, end, indent, isGroup, title }, index) => {
    while ((groups.at(-1)?.indent ?? -1) >= indent) groups.pop()
    if (isGroup) {
      groups.push({ indent, title })
      const next = titles[index + 1]
      if (next !== undefined && next.indent > indent) return []
      // A function of another module declares its tests, from a table.
      return rowNames(source.slice(at, next?.at)).map((name) => `${title}: ${name}`)
    }
    const names = isOfRows(title) ? rowNames(source.slice(from, end)) : []
    from = end
    const own = names.length > 0 ? names : isOfRows(title) ? ["each row of its table"] : [title]
    const prefix = groups.map((group) => group.title).filter((group) => !isOfRows(group))
    return own.map((name) => [...prefix, name].join(": "))
  })
}

const modules = publicModules(packages)

/** Modules of a file's imports whose tests it declares, each with the title that it gives to them. */
const declared = (path: string, source: string): ReadonlyArray<readonly [title: string, module: string]> =>
  [...source.matchAll(/import \* as (\w+) from "([^"]+)"/g)].flatMap(([, name = "", specifier = ""]) => {
    const module = specifier.startsWith(".") ? posix.join(dirname(path), specifier) : modules.get(specifier)
    if (module === undefined || !isShared(module)) return []
    const suites = [...source.matchAll(new RegExp(`\\b${name}\\.(?:suite|tests)\\(\\s*${text}`, "g"))]
    const uses = suites.map(([, title = ""]) => [title, module] as const)
    return new RegExp(`\\b${name}\\.cases\\b`).test(source) ? [["", module] as const, ...uses] : uses
  })

const cell = (title: string): string => title.replaceAll("\\", "").replaceAll("`", "'")

const nameOf = (path: string): string =>
  path
    .split("/")
    .at(-1)
    ?.replace(/(?:\.test)?\.ts$/, "") ?? path

/** The lines of a file. A file without one is an error: its promise is not in the index. */
const list = (path: string): string => {
  const source = read(path)
  const shared = declared(path, source).map(
    ([title, module]) => `- ${title === "" ? "" : `${cell(title)}: `}every promise of [${nameOf(module)}](../${module})`
  )
  const own = promises(source).map((promise) => `- ${cell(promise)}`)
  // A test of a contract has the names of its cases: the contract's own list has them.
  const lines = [
    ...new Set([...own.filter((line) => shared.length === 0 || !line.endsWith("each row of its table")), ...shared])
  ]
  if (lines.length === 0) throw new Error(`tests/rules/Promises.ts finds no promise in ${path}`)
  return `[${nameOf(path)}](../${path})\n\n${lines.join("\n")}`
}

const section = (title: string, paths: ReadonlyArray<string>): string => {
  const folders = Map.groupBy(paths, (path) => dirname(path).split("/").slice(0, 2).join("/"))
  const lists = [...folders].map(([folder, members]) => `### \`${folder}\`\n\n${members.map(list).join("\n\n")}`)
  return `## ${title}\n\n${lists.join("\n\n")}`
}

/** The page. A test whose folder has no level is an error. */
export const page = (): string => {
  const paths = files.filter(
    (path) =>
      isTest(path) || (isShared(path) && (promises(read(path)).length > 0 || declared(path, read(path)).length > 0))
  )
  const rest = paths.filter((path) => !levels.some(([, folder]) => folder.test(path)))
  if (rest.length > 0) throw new Error(`tests/rules/Promises.ts has no level for ${rest.join(", ")}`)
  const sections = levels.map(([title, folder]) =>
    section(
      title,
      paths.filter((path) => folder.test(path))
    )
  )
  return `# What the tests promise

Written by \`npm run docs\` from the titles of the tests. Each list is a file: what its tests promise. \`%s\`, \`$0\` and a name in braces stand for values of the rows
of a table. Tests that several stores run are listed once, at the module that declares them. A promise is proved once, at the lowest level that can prove it; the simulation covers combinations.

${sections.join("\n\n")}
`
}
