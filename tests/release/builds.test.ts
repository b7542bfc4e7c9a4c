/** `turbo run build` in a copy of the repository: nothing is built twice, and no file of a removed source stays. */
import { existsSync, rmSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { afterAll, beforeAll, expect, it } from "@effect/vitest"
import { files, root } from "../../scripts/Workspace.ts"
import { passes, tool } from "../rules/Tool.ts"
import * as RepositoryCopy from "./RepositoryCopy.ts"

const library = "packages/signing"
const copy = RepositoryCopy.make()
afterAll(copy.remove)

beforeAll(() => {
  const isNeeded = (path: string) =>
    /^(?:package\.json|pnpm-.*|turbo\.json|tsconfig\.base\.json|tsup\.base\.ts)$/.test(path) ||
    path.startsWith(`${library}/`)
  for (const path of files.filter(isNeeded)) copy.add(path)
  for (const path of ["", library]) copy.linkInstalled(path)
})

/** Returns the number of builds that came from the cache. */
const build = async () => {
  const PATH = ["node_modules/.bin", ".tools/node_modules/.bin"].map((path) => join(root, path)).join(delimiter)
  const options = { cwd: copy.folder, env: { PATH: `${PATH}${delimiter}${process.env.PATH}` } }
  const { output } = await passes(tool("turbo", ["run", "build"], options))
  return /Cached: +(\d) cached/.exec(output)?.[1]
}
const built = (name: string) => existsSync(join(copy.folder, library, "dist", name))
const removable = join(copy.folder, library, "src/Removable.ts")

it("a second build comes from the cache, and a file of a removed source stays in neither case", async () => {
  writeFileSync(removable, "export const value = 1\n")
  expect(await build()).toBe("0")
  expect(await build()).toBe("1")
  expect([built("Removable.js"), built("Control.js"), built("Control.d.ts")]).toEqual([true, true, true])
  rmSync(removable)
  expect(await build()).toBe("0")
  expect([built("Removable.js"), built("Control.js")]).toEqual([false, true])
  writeFileSync(removable, "export const value = 1\n")
  expect(await build()).toBe("1")
  expect(built("Removable.js")).toBe(true)
  rmSync(removable)
  expect(await build()).toBe("1")
  expect([built("Removable.js"), built("Control.js")]).toEqual([false, true])
})
