/** The licences of the packages whose code a built file contains. Their authors ask that each copy has them. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

export const fileName = "THIRD-PARTY-NOTICES.txt"

/** The folder of the installed package to which a module belongs, or `undefined` for a module of this repository. */
export const packageOf = (module: string): string | undefined =>
  /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(module)?.[0]

const rule = "-".repeat(100)

const read = (folder: string, file: string): string => readFileSync(join(folder, file), "utf8").trim()

/** The texts of a package's licence: its files, or the chapter of its README. */
const textsOf = (folder: string): ReadonlyArray<string> => {
  const files = readdirSync(folder).toSorted()
  const own = files.filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file))
  if (own.length > 0) return own.map((file) => read(folder, file))
  const readme = files.find((file) => /^readme/i.test(file))
  const [, ...chapters] = readme === undefined ? [] : read(folder, readme).split(/^#+ *licen[cs]e.*$/im)
  return chapters.slice(0, 1).map((chapter) => chapter.trim())
}

const noticeOf = (folder: string): string => {
  const { license, name, version } = JSON.parse(read(folder, "package.json"))
  const texts = textsOf(folder)
  if (texts.length === 0) throw new Error(`${name} ${version} has no text of its licence, which a bundle must include`)
  return [rule, `${name} ${version} (${license})`, rule, ...texts].join("\n\n")
}

/** Writes the notices of the packages to which these modules belong. */
export const write = (modules: Iterable<string>): string => {
  const folders = new Set([...modules].flatMap((module) => packageOf(module) ?? []))
  const notices = [...folders].map(noticeOf).toSorted()
  return ["The files beside this one contain code of the packages below.", ...notices].join("\n\n").concat("\n")
}

/** The packages that {@link write} has listed, each with its text. */
export const listed = (notices: string): ReadonlyMap<string, string> =>
  new Map(
    notices
      .split(rule)
      .slice(1)
      .flatMap((title, index, parts) => {
        const [name = ""] = title.trim().split(" ", 1)
        return index % 2 === 0 ? [[name, parts[index + 1] ?? ""] as const] : []
      })
  )
