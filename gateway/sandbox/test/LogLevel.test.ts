import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, it } from "@effect/vitest"

const program = fileURLToPath(new URL("./processes/refuse.ts", import.meta.url))

it("a sandbox with the log level None prints nothing, in its process and on a port, whatever it refuses", async () => {
  const { stderr, stdout } = await promisify(execFile)(process.execPath, [program])
  assert.strictEqual(`${stdout}${stderr}`, "")
})
