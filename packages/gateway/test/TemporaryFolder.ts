/** An empty folder, gone with the test's scope. */
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"

export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(join(tmpdir(), "pay-gateway-"))),
  (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true }))
)
