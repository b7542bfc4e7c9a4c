/**
 * `npm run soak`: three gateways on one PostgreSQL with a synchronous standby, merchants that send every operation of the contract, and one
 * failure after another, drawn from a seed. In the end the invariants are checked; the exit code is 1 where one does not hold.
 *
 *   npm run soak                            five minutes
 *   npm run soak -- --minutes 30 --seed 7
 *   npm run soak -- --minutes 30 --write    writes the result into docs/operators/soak.md
 *   npm run soak -- --recurring 100000      charges recurring payments that are due at once, instead
 */
import { DateTime, Effect, Result } from "effect"
import * as Build from "../harness/Build.ts"
import * as Arguments from "./soak/Arguments.ts"
import * as Document from "./soak/Document.ts"
import * as Recurring from "./soak/Recurring.ts"
import * as Report from "./soak/Report.ts"
import * as Soak from "./soak/Soak.ts"

const print = (line: string): void => console.log(line)

const run = Effect.fnUntraced(function* ({ minutes, recurring, seed }: Arguments.Arguments) {
  const day = DateTime.formatIsoDateUtc(yield* DateTime.now)
  if (recurring !== undefined) {
    const result = yield* Recurring.run({ payments: recurring, onProgress: print })
    return { part: "recurring", markdown: Report.ofRecurring(result, day), problems: result.problems } as const
  }
  const result = yield* Soak.run({ seed, ms: minutes * 60_000, onProgress: print })
  print(Report.refusals(result))
  return { part: "failures", markdown: Report.ofFailures(result, day), problems: result.problems } as const
})

const main = Effect.fnUntraced(function* (args: ReadonlyArray<string>) {
  const parsed = yield* Effect.result(Arguments.read(args))
  if (Result.isFailure(parsed)) {
    console.error(`${parsed.failure.message}\n\n${Arguments.usage}`)
    return 2
  }
  yield* Effect.acquireRelease(
    Effect.promise(() => Build.build()),
    ({ remove }) => Effect.sync(remove)
  )
  const { markdown, part, problems } = yield* run(parsed.success)
  print(`\n${markdown}\n`)
  if (parsed.success.writes) Document.write(part, markdown)
  return problems.length === 0 ? 0 : 1
})

// A signal that ends this process also ends what it has started.
const controller = new AbortController()
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => controller.abort())
const [, , ...args] = process.argv
process.exitCode = await Effect.runPromise(Effect.scoped(main(args)), { signal: controller.signal })
