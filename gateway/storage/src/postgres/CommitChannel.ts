/**
 * A channel sends batches of a process one after another. Every batch has the channel's next number, which the server stores in the same
 * transaction. After a missing answer, the channel reads the stored number. If the batch is not there, the channel declares it lost, so that
 * it cannot arrive later. The outcome is therefore known as soon as the server answers again.
 */
import { Data, Effect, type Scope } from "effect"
import { fenced } from "./CommitFunction.ts"
import type { Connection } from "./Connections.ts"
import { schema } from "./Ddl.ts"
import * as Durably from "./Durably.ts"
import * as Failure from "./Failure.ts"
import type { Session } from "./Session.ts"

/** The codes of the failed guards, or the reason why the batch has none. */
export type CommitOutcome =
  | { readonly _tag: "Committed"; readonly codes: ReadonlyArray<number> }
  /** Nothing was written. */
  | { readonly _tag: "NotCommitted"; readonly failure: Failure.Failure }
  /** The server does not answer now. */
  | { readonly _tag: "Unknown"; readonly failure: Failure.Failure }

/** The database lacks acknowledged batches of this channel: it was restored, or a standby without them took over. */
export class Behind extends Data.TaggedError("Behind")<{ readonly writer: string; readonly number: number }> {}

export interface CommitChannel {
  readonly writer: string
  /** Number of batches that the server has acknowledged or refused finally. */
  readonly number: () => number
  /** Sends a batch. `encode` makes the argument of the commit function for a number. */
  readonly commit: (encode: (number: number) => string) => Effect.Effect<CommitOutcome, Behind>
  /** Resolves a batch with an unknown outcome, if there is one. Fails while the server does not answer. */
  readonly settle: Effect.Effect<CommitOutcome | undefined, Behind | Failure.Failure>
}

const register = {
  name: "pay register",
  text: `INSERT INTO ${schema}.writers (writer, number) SELECT $1, 0 FROM ${Durably.call} ON CONFLICT (writer) DO NOTHING`
}

const storedNumber = { name: "pay number", text: `SELECT number FROM ${schema}.writers WHERE writer = $1` }

/** Waits until no transaction of the batch runs, so that its outcome is final. The statement always writes, so that the number that
 * it reads is as durable as its own commit. Finds no row where the batch before is missing, too. */
const ask = {
  name: "pay ask",
  text: `UPDATE ${schema}.writers SET result = CASE WHEN number >= $2::bigint THEN result ELSE '"lost"' END, number = greatest(number, $2::bigint), at = clock_timestamp() FROM ${Durably.call} WHERE writer = $1 AND number >= $2::bigint - 1 RETURNING number, result::text`
}

const notCommitted = (failure: Failure.Failure): CommitOutcome => ({ _tag: "NotCommitted", failure })

/** Selects the codes of the batch. A batch that was declared lost has none. */
const codesOf = (text: unknown): ReadonlyArray<number> | undefined => {
  const codes: unknown = JSON.parse(`${text}`)
  return Array.isArray(codes) ? codes : undefined
}

export const make = Effect.fnUntraced(function* (
  connection: Connection,
  writer: string,
  procedure: string
): Effect.fn.Return<CommitChannel, never, Scope.Scope> {
  const call = { name: procedure, text: `SELECT array_to_json(${schema}.${procedure}($1::jsonb))::text` }
  let number = 0
  let pending = false
  let registered: Session | undefined

  /** Creates the channel's row with its first batch. On a new connection, checks that its number is the channel's. */
  const session = Effect.gen(function* () {
    const current = yield* connection.session
    if (current === registered) return current
    if (number === 0 && !pending) yield* current.query({ ...register, values: [writer] })
    else if (!pending) {
      const [row] = yield* current.query({ ...storedNumber, values: [writer] })
      if (row?.[0] !== number) return yield* new Behind({ writer, number })
    }
    current.warned()
    registered = current
    return current
  })

  const settle: Effect.Effect<CommitOutcome | undefined, Behind | Failure.Failure> = Effect.gen(function* () {
    if (!pending) return undefined
    const current = yield* session
    const [row] = yield* current.query({ ...ask, values: [writer, number + 1] })
    // A warning means that a commit did not wait for its copy on the standby.
    if (current.warned()) return yield* new Failure.Lost({ cause: "the server did not wait for its standby" })
    if (row?.[0] !== number + 1) return yield* new Behind({ writer, number })
    pending = false
    number += 1
    const codes = codesOf(row[1])
    return codes !== undefined
      ? { _tag: "Committed", codes }
      : notCommitted(new Failure.Lost({ cause: "declared lost" }))
  })

  const attempt = (encode: (number: number) => string): Effect.Effect<CommitOutcome, Behind | Failure.Failure> =>
    Effect.gen(function* () {
      const current = yield* session
      const argument = encode(number + 1)
      pending = true
      const [row] = yield* current.query({ ...call, values: [argument] })
      if (current.warned()) return yield* new Failure.Lost({ cause: "the server did not wait for its standby" })
      pending = false
      number += 1
      return { _tag: "Committed", codes: codesOf(row?.[0]) ?? [] }
    })

  /** Handles a refusal: the server wrote nothing of the batch, and its number is unused. */
  const refused = (failure: Failure.ServerRefused): Effect.Effect<CommitOutcome, Behind> => {
    pending = false
    return failure.state === fenced
      ? Effect.fail(new Behind({ writer, number }))
      : Effect.succeed(notCommitted(failure))
  }

  const lost = (failure: Failure.Lost): Effect.Effect<CommitOutcome, Behind> =>
    pending
      ? Effect.catch(
          Effect.map(settle, (outcome) => outcome ?? notCommitted(failure)),
          (error): Effect.Effect<CommitOutcome, Behind> =>
            error._tag === "Behind" ? Effect.fail(error) : Effect.succeed({ _tag: "Unknown", failure })
        )
      : Effect.succeed(notCommitted(failure))

  const send = (encode: (number: number) => string): Effect.Effect<CommitOutcome, Behind> =>
    Effect.catch(attempt(encode), (error) => {
      switch (error._tag) {
        case "Behind":
          return Effect.fail(error)
        case "ServerRefused":
          return refused(error)
        case "Lost":
          return lost(error)
      }
    })

  /** Sends nothing until the outcome of the previous number is known. */
  const commit = (encode: (number: number) => string): Effect.Effect<CommitOutcome, Behind> =>
    pending
      ? Effect.matchEffect(settle, {
          onSuccess: () => send(encode),
          onFailure: (error): Effect.Effect<CommitOutcome, Behind> =>
            error._tag === "Behind"
              ? Effect.fail(error)
              : Effect.succeed(notCommitted(new Failure.ServerRefused({ state: undefined, cause: error })))
        })
      : send(encode)

  return { writer, number: () => number, commit: (encode) => Effect.suspend(() => commit(encode)), settle }
})
