/** Checks whether a database has all commits that were acknowledged to this process, in this run and in the run before. */

import * as Decision from "@pay/gateway/Decision"
import { AuditEntry, Restoration } from "@pay/gateway/Entities"
import { type Store, Transact } from "@pay/gateway/Store"
import * as Durability from "@pay/sqlite/Durability"
import { Clock, Effect } from "effect"
import * as Restoring from "../Restoring.ts"
import { schema } from "./Ddl.ts"
import type * as Failure from "./Failure.ts"
import type { Content } from "./ProcessWitness.ts"
import type { Session } from "./Session.ts"

export type Positions = ReadonlyArray<readonly [writer: string, number: number]>

/** Loads the random name of the database. */
export const nameOf = (session: Session): Effect.Effect<string, Failure.Failure> =>
  Effect.map(session.query({ text: `SELECT id::text FROM ${schema}.store`, values: [] }), ([row]) => `${row?.[0]}`)

/** Returns the channels of which the database lacks batches. */
export const missing = (session: Session, positions: Positions): Effect.Effect<Positions, Failure.Failure> => {
  const acknowledged = positions.filter(([, number]) => number > 0)
  if (acknowledged.length === 0) return Effect.succeed([])
  const reading = session.query({
    text: `SELECT writer, number FROM ${schema}.writers WHERE writer = ANY ($1)`,
    values: [acknowledged.map(([writer]) => writer)]
  })
  return Effect.map(reading, (rows) => {
    const numbers = new Map(rows.map(([writer, number]) => [`${writer}`, Number(number)]))
    return acknowledged.filter(([writer, number]) => (numbers.get(writer) ?? -1) < number)
  })
}

const howOn =
  "Point it at the database that has everything; or start it with --accept-loss, which asks the banks about whatever may be missing."

/** Returns the time of the last commit by the database's clock, which is never ahead of business time; undefined without a commit. */
export const lastCommitAtMs = (session: Session): Effect.Effect<number | undefined, Failure.Failure> =>
  Effect.map(
    session.query({ text: `SELECT (extract(epoch FROM max(at)) * 1000)::bigint FROM ${schema}.writers`, values: [] }),
    ([row]) => (typeof row?.[0] === "number" ? row[0] : undefined)
  )

/** Compares the database with the witness of the process's earlier run. Returns undefined if no commit is missing. */
export const judge = Effect.fnUntraced(function* (session: Session, path: string, content: Content) {
  const name = yield* nameOf(session)
  // The missing commits begin at the end of the database, which may be long before the witness's last commit.
  const sinceMs = Math.min(content.atMs, (yield* lastCommitAtMs(session)) ?? 0)
  const refused = (why: "unwitnessed" | "behind", what: string, count?: number) =>
    new Durability.StoreRefused({
      why,
      message: `${what}. ${howOn}`,
      ...(sinceMs > 0 ? { sinceMs } : {}),
      ...(count === undefined ? {} : { missing: count })
    })
  if (content.database !== name)
    return refused(
      "unwitnessed",
      `The witness ${path} is another database's: the database was replaced, or the setting of its URL or of the witness changed`
    )
  const lost = yield* missing(session, Object.entries(content.writers))
  return lost.length === 0
    ? undefined
    : refused(
        "behind",
        `The database lacks commits that this gateway saw acknowledged until ${new Date(content.atMs).toISOString()}`
      )
})

/** Marks the store as restored: all its orders may have changed since the given time. */
export const markRestored = Effect.fnUntraced(function* (
  store: Store["Service"],
  acceptance: { readonly by: string; readonly action: string; readonly refused: Durability.StoreRefused }
) {
  const { message, missing, sinceMs, why } = acceptance.refused
  const audit = yield* Restoring.audited(acceptance.by, acceptance.action, {
    why,
    what: message,
    missing: missing ?? null
  })
  const restoredAtMs = yield* Clock.currentTimeMillis
  const attempt = Effect.gen(function* () {
    const earlier = yield* store.load(Restoration, ["latest"])
    const row = Restoring.next(earlier, { restoredAtMs, lastCommitAtMs: sinceMs ?? 0 })
    const guard =
      earlier === undefined
        ? Decision.absent(Restoration, "key", ["latest"])
        : Decision.versionIs(Restoration, ["latest"], earlier.version)
    yield* store.commit({
      guards: [guard],
      writes: [Decision.put(Restoration, row), Decision.append(AuditEntry, audit)]
    })
  })
  // Several gateways may accept the loss at once.
  yield* Transact.transact({ attempt, exhausted: () => acceptance.refused, tries: Transact.triesUnderLock })
})
