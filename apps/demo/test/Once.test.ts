/** `npm start -- --once`, the first thing that is tried here: everything comes to what it should, also on what the first run left. */
import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, test } from "vitest"

const run = promisify(execFile)

test("npm start -- --once, twice in one folder", async () => {
  const folder = await mkdtemp(join(tmpdir(), "pay demo "))
  const once = () =>
    run(process.execPath, ["scripts/bootstrap.mjs", "start", "--once"], {
      cwd: join(import.meta.dirname, "../../.."),
      env: { ...process.env, PAY_DATA: folder }
    }).catch(({ stderr, stdout }) => ({ stderr: String(stderr), stdout: String(stdout) }))
  try {
    for (const turn of ["first", "again"]) {
      const { stderr, stdout } = await once()
      expect(stdout.trim().split("\n").at(-1), `${turn}: ${stdout.slice(-2000)}${stderr}`).toBe(
        "Everything came to what it should."
      )
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}, 120_000)
