/** Files that commands of a test read; they are gone after the tests of the file. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "@effect/vitest"

const folder = mkdtempSync(join(tmpdir(), "pay-cli-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** Writes a file and returns its path. `mode`: who may read it, if that matters. */
export const file = (name: string, text: string, mode?: number): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  if (mode !== undefined) chmodSync(path, mode)
  return path
}
