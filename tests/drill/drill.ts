/**
 * `npm run drill`: plays incidents on two production gateways, PostgreSQL, nginx with TLS, a bank over HTTP and two merchants, all on this
 * machine. It compares what merchants saw with the bank's own books, and what operators can read with what they need.
 *
 *   npm run drill                every incident
 *   npm run drill -- bank-down   one of them
 *   npm run drill -- --help      the list
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Result } from "effect"
import * as DrillPrograms from "../../scripts/DrillPrograms.ts"
import * as Postgres from "../../scripts/Postgres.ts"
import * as Build from "../harness/Build.ts"
import * as Arguments from "./Arguments.ts"
import * as Incidents from "./incidents/Incidents.ts"
import * as Machine from "./Machine.ts"

/** What this machine lacks for a drill, with what to do. */
const lacks = (): ReadonlyArray<string> =>
  process.getuid?.() !== 0
    ? [
        "A drill changes the hosts file and the name servers that its own processes see: run it as root, best in a container."
      ]
    : [
        ...(Postgres.findOrInstall() === undefined ? [Postgres.howToGet] : []),
        ...(DrillPrograms.installMissing().length > 0 ? [DrillPrograms.howToGet] : [])
      ]

const folder = Effect.acquireRelease(
  Effect.sync(() => {
    const path = mkdtempSync(join(tmpdir(), "pay-drill-"))
    chmodSync(path, 0o711)
    return path
  }),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const main = Effect.fnUntraced(function* (args: ReadonlyArray<string>) {
  const incidents = yield* Effect.result(Arguments.read(args, Incidents.all))
  if (Result.isFailure(incidents)) {
    console.error(`${incidents.failure.message}\n\n${Arguments.usage(Incidents.all)}`)
    return 2
  }
  if (incidents.success === "help") {
    console.log(Arguments.usage(Incidents.all))
    return 0
  }
  const missing = lacks()
  for (const problem of missing) console.error(problem)
  if (missing.length > 0) return 2
  const machine = yield* folder
  Machine.prepare(machine)
  yield* Effect.acquireRelease(
    Effect.promise(() => Build.build()),
    ({ remove }) => Effect.sync(remove)
  )
  return yield* Machine.run(machine, join(import.meta.dirname, "rehearse.ts"), args)
})

const controller = new AbortController()
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => controller.abort())
const [, , ...args] = process.argv
process.exitCode = await Effect.runPromise(Effect.scoped(main(args)), { signal: controller.signal })
