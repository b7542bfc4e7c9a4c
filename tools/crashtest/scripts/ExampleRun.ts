/** Crash-tests an example shop, with a database of its own. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import * as CrashTest from "../src/CrashTest.ts"
import type { Fault } from "../src/plan/Faults.ts"
import type { Progress } from "../src/run/Tally.ts"
import * as Template from "../src/template/Template.ts"
import type { ExampleShop } from "./ExampleShops.ts"

export interface Options {
  readonly payments: number
  readonly seed: number
  readonly kinds?: ReadonlyArray<Fault>
  /** Values that take the place of those of `crashtest.json`. */
  readonly template?: Partial<Template.Template>
  readonly onProgress?: (progress: Progress) => Effect.Effect<void>
}

const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "pay-example-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** Returns the result. The shop listens on a free port, whatever its template says. */
export const run = Effect.fnUntraced(function* (
  { command, folder }: ExampleShop,
  { kinds, onProgress = () => Effect.void, payments, seed, template: own }: Options
) {
  const data = yield* temporaryFolder
  const read = yield* Template.fromText(readFileSync(join(folder, Template.fileName), "utf8"))
  const template: Template.Template = {
    ...read,
    ...own,
    url: "http://127.0.0.1:{port}",
    env: { ...read.env, ...own?.env, SHOP_DATABASE: join(data, "shop.db"), SHOP_DATA: data },
    files: [data]
  }
  return yield* CrashTest.run({ command, folder, template, seed, payments, kinds, onProgress })
}, Effect.scoped)
