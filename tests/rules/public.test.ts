/** The modules that packages publish: one name each, and each for a program outside of the package. */
import { posix } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { files, libraries, librarySources, read } from "../../scripts/Workspace.ts"

/** Modules that only tests of this repository import, with their users. */
const forOthers: Readonly<Record<string, string>> = {
  "@pay/flows/CallbackStore": "shops that keep callbacks in their own database",
  "@pay/gateway/StoreContract": "stores of others",
  "@pay/sandbox/Outcome": "tests of merchants that choose what the bank answers"
}

const isProgram = (path: string) => /\.m?ts$/.test(path) && !/^tests\/|^tools\/bench\/|\/test\//.test(path)
const texts = files.filter((path) => isProgram(path) || path.endsWith(".md")).map((path) => [path, read(path)] as const)
const modules = libraries.flatMap(({ folder, manifest }) =>
  Object.keys(manifest.exports ?? {})
    .filter((subpath) => subpath !== ".")
    .map((subpath) => ({ folder, name: posix.join(manifest.name, subpath) }))
)

describe("public modules", () => {
  it.each(libraries)("of $manifest.name have one name each", ({ manifest }) => {
    const paths = Object.values(manifest.exports ?? {})
    expect(paths.filter((path, at) => paths.indexOf(path) !== at)).toEqual([])
  })
  it("of the gateway are at most 20", () => {
    expect(modules.filter(({ folder }) => folder === "gateway/gateway").length).toBeLessThanOrEqual(20)
  })
  it("are imported outside of their package, or have a reason", () => {
    const unused = modules.filter(
      ({ folder, name }) =>
        !texts.some(
          ([path, text]) => !path.startsWith(`${folder}/src/`) && ['"', "`"].some((mark) => text.includes(name + mark))
        )
    )
    expect(unused.map(({ name }) => name).toSorted()).toEqual(Object.keys(forOthers))
  })
})

/** The statements at the top of the modules in `packages` that define a class of errors. */
const errorClasses = files
  .filter((path) => path.startsWith("packages/") && librarySources.test(path))
  .flatMap((path) => read(path).split(/\n(?=export |const |class |type |interface |\/\*\*)/))
  .filter((statement) => /class \w+ extends (?:Schema|Data)\.(?:Tagged)?Error/.test(statement))

describe("errors of the published packages", () => {
  const tags = files
    .filter((path) => librarySources.test(path))
    .flatMap((path) => [...read(path).matchAll(/TaggedError(?:<\w+>\(\))?\("(\w+)"/g)].map(([, tag]) => tag))
  it("are found", () => expect(tags.length).toBeGreaterThan(30))
  it("have a message, so that no exception is empty", () => {
    expect(errorClasses.length).toBeGreaterThan(25)
    expect(errorClasses.filter((statement) => !/\bmessage\b/.test(statement))).toEqual([])
  })
  it("have tags of their own, so that `catchTags` distinguishes them", () => {
    expect(tags.filter((tag, at) => tags.indexOf(tag) !== at)).toEqual([])
  })
})
