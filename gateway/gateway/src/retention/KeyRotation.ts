/**
 * Re-encrypts the data keys of all values that are encrypted under an older master key, while the gateway runs: cards of orders,
 * stored cards, cards of recurring payments, recipients of payouts, results of 3-D Secure, merchants' control keys, secrets of operators'
 * two-step sign-in. The values themselves are not decrypted. Values under the current key are not changed, so a run that was interrupted can be continued from
 * its last report or repeated from the start.
 */
import { Effect, Exit, Schema } from "effect"
import * as SingleRun from "../kernel/SingleRun.ts"
import { Store } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import { type CannotOpen, KeyVault } from "../vault/KeyVault.ts"
import * as EncryptedValues from "./EncryptedValues.ts"

export interface Position {
  readonly kind: EncryptedValues.Kind
  /** Key of the last row that was processed; empty if there is none. */
  readonly after: string
}

export interface Counts {
  readonly rows: number
  readonly reencrypted: number
  /** Values that no configured key can decrypt, or that changed at each attempt. The older master keys must be kept. */
  readonly failed: number
}

/** The position and the counts of a run after a page. */
export interface Progress extends Counts {
  readonly position: Position
}

export interface Options {
  readonly pageRows?: number
  /** The position at which an earlier run stopped. */
  readonly from?: Position
  /** Called after each page; by default the progress is logged. */
  readonly report?: (progress: Progress) => Effect.Effect<void>
}

const defaultPageRows = 500
const concurrency = 32
const mostTries = 20

const log = ({ failed, position, reencrypted, rows }: Progress): Effect.Effect<void> =>
  Effect.logInfo("Encrypted values are moved to the current master key").pipe(
    Effect.annotateLogs({ kind: position.kind, after: position.after, rows, reencrypted, failed })
  )

type ValueResult = "current" | "reencrypted" | "failed"

export const run = Effect.fn("KeyRotation.run")(function* (options: Options = {}) {
  const { from = { kind: "cards", after: "" }, pageRows = defaultPageRows, report = log } = options
  const store = yield* Store
  const vault = yield* KeyVault
  const { list, load } = yield* EncryptedValues.make

  const failed = (kind: EncryptedValues.Kind, key: string, error: CannotOpen) =>
    Effect.logWarning("An encrypted value cannot be moved to the current master key", error).pipe(
      Effect.annotateLogs({ kind, key }),
      Effect.as<ValueResult>("failed")
    )

  /** Re-encrypts the data key of one value. If its row changes in between, it is loaded again. */
  const attempt = Effect.fnUntraced(function* (kind: EncryptedValues.Kind, key: string) {
    const row: EncryptedValues.EncryptedRow | undefined = yield* load[kind](key)
    if (row === undefined) return "current"
    const again = yield* vault.reencrypt(row.encrypted)
    if (again === row.encrypted) return "current"
    yield* store.commit(row.with(again))
    return "reencrypted"
  })

  const renew = (kind: EncryptedValues.Kind, key: string) =>
    Transact.transact({
      attempt: attempt(kind, key),
      exhausted: () => Effect.succeed<ValueResult>("failed"),
      tries: mostTries
    })

  /** Returns the keys of the next rows. The row of `after` itself is loaded again and left out. */
  const page = Effect.fnUntraced(function* (kind: EncryptedValues.Kind, after: string) {
    const range = { from: after, limit: pageRows + 1 }
    const keys = yield* list[kind](range)
    return keys.filter((key) => key !== after).slice(0, pageRows)
  })

  let counts: Counts = { rows: 0, reencrypted: 0, failed: 0 }
  for (const kind of EncryptedValues.kinds.slice(EncryptedValues.kinds.indexOf(from.kind))) {
    let after = kind === from.kind ? from.after : ""
    while (true) {
      const keys = yield* page(kind, after)
      const last = keys.at(-1)
      if (last === undefined) break
      const outcomes = yield* Effect.forEach(
        keys,
        (key) => Effect.catchTag(renew(kind, key), "CannotOpen", (error) => failed(kind, key, error)),
        { concurrency }
      )
      const count = (outcome: ValueResult) => outcomes.filter((each) => each === outcome).length
      counts = {
        rows: counts.rows + keys.length,
        reencrypted: counts.reencrypted + count("reencrypted"),
        failed: counts.failed + count("failed")
      }
      after = last
      yield* report({ ...counts, position: { kind, after } })
    }
  }
  return counts
})

/** Progress of the job that runs `KeyRotation` beside the gateway, once at a time. An operator starts it. */
const JobProgress = Schema.Struct({
  state: Schema.Literals(["never", "running", "done", "broken"]),
  rows: Schema.Int,
  reencrypted: Schema.Int,
  failed: Schema.Int
})
export type JobProgress = typeof JobProgress.Type

const never: JobProgress = { state: "never", rows: 0, reencrypted: 0, failed: 0 }

export const makeJob = SingleRun.make({
  action: "master-key.rotate",
  subject: { kind: "keys", id: "master" },
  progress: JobProgress,
  never,
  run: (see) => run({ report: (counts) => see(() => ({ ...counts, state: "running" })) }),
  ended: (exit, progress): Effect.Effect<JobProgress> =>
    Effect.succeed(Exit.isSuccess(exit) ? { ...exit.value, state: "done" } : { ...progress, state: "broken" })
})
