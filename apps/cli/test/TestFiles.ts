/** Files that commands of a test read, in a folder of this process that is gone after the run. */
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { inject } from "vitest"

export const folder = mkdtempSync(join(inject("filesOfTests"), "process-"))

/** A new folder in that one. */
export const newFolder = (name: string): string => mkdtempSync(join(folder, `${name}-`))

/** Writes a file and returns its path. `mode`: who may read it, if that matters. */
export const file = (name: string, text: string, mode?: number): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  if (mode !== undefined) chmodSync(path, mode)
  return path
}
