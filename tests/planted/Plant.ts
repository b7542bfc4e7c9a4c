/** Plants a defect into a source file while the file is loaded. No file is changed. */
import { readFileSync } from "node:fs"
import { registerHooks } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Patch } from "./Defect.ts"

const root = join(import.meta.dirname, "../..")

/** Returns the text of the source file with the defect; undefined for every other file. */
export const source = ({ file, find, replace }: Patch, path: string): string | undefined =>
  path === join(root, file) ? readFileSync(path, "utf8").replace(find, () => replace) : undefined

/** Plants the defect into the modules that this thread loads from now on. */
export const inThread = (patch: Patch): void => {
  registerHooks({
    load: (url, context, next) => {
      const changed = url.startsWith("file:") ? source(patch, fileURLToPath(url)) : undefined
      return changed === undefined
        ? next(url, context)
        : { format: "module-typescript", source: changed, shortCircuit: true }
    }
  })
}
