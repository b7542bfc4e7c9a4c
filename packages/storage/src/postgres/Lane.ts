/**
 * One of a process's lines of batches, each after the other. Every batch has the lane's next number, which the server keeps in
 * the same transaction. Where no answer comes, the lane asks how far the server got, and declares a batch that is not there lost: it
 * can then not arrive any more. So an outcome is known as soon as the server can be asked.
 */
import { Data, Effect, type Scope } from "effect"
import { fenced } from "./CommitFunction.ts"
import type { Connection } from "./Connections.ts"
import { schema } from "./Ddl.ts"
import * as Failure from "./Failure.ts"
import type { Session } from "./Session.ts"

/** The codes of the guards that failed, or why there are none. */
export type Outcome =
  | { readonly _tag: "Committed"; readonly codes: ReadonlyArray<number> }
  /** Nothing was written. */
  | { readonly _tag: "NotCommitted"; readonly failure: Failure.Failure }
  /** The server cannot be asked now. */
  | { readonly _tag: "Unknown"; readonly failure: Failure.Failure }

/** The database lacks what this lane had acknowledged: it was put back, or another took over that did not have all. */
export class Behind extends Data.TaggedError("Behind")<{ readonly writer: string; readonly number: number }> {}

export interface Lane {
  readonly writer: string
  /** How many batches the server has acknowledged or refused for good. */
  readonly number: () => number
  /** `encode` makes the argument of the commit function for this number. */
  readonly commit: (encode: (number: number) => string) => Effect.Effect<Outcome, Behind>
  /** Asks about the batch whose outcome is unknown, if there is one; fails while the server cannot be asked. */
  readonly settle: Effect.Effect<Outcome | undefined, Behind | Failure.Failure>
}

const register = {
  name: "pay register",
  text: `INSERT INTO ${schema}.writers (writer, number) VALUES ($1, 0) ON CONFLICT (writer) DO NOTHING`
}

const standing = { name: "pay standing", text: `SELECT number FROM ${schema}.writers WHERE writer = $1` }

/** Waits for a transaction of the batch that still runs; afterwards the batch has happened or never will. It writes always, so that
 * what it found is as durable as its own commit. */
const ask = {
  name: "pay ask",
  text: `UPDATE ${schema}.writers SET result = CASE WHEN number >= $2::bigint THEN result ELSE '"lost"' END, number = greatest(number, $2::bigint), at = clock_timestamp() WHERE writer = $1 RETURNING number, result::text`
}

const notCommitted = (failure: Failure.Failure): Outcome => ({ _tag: "NotCommitted", failure })

/** A batch that was declared lost has no codes. */
const codesOf = (text: unknown): ReadonlyArray<number> | undefined => {
  const codes: unknown = JSON.parse(`${text}`)
  return Array.isArray(codes) ? codes : undefined
}

export const make = Effect.fnUntraced(function* (
  connection: Connection,
  writer: string,
  procedure: string
): Effect.fn.Return<Lane, never, Scope.Scope> {
  const call = { name: procedure, text: `SELECT array_to_json(${schema}.${procedure}($1::jsonb))::text` }
  let number = 0
  let pending = false
  let registered: Session | undefined

  /** The lane's row is made with its first batch; on a new connection it is as far as the lane. */
  const session = Effect.gen(function* () {
    const current = yield* connection.session
    if (current === registered) return current
    if (number === 0 && !pending) yield* current.query({ ...register, values: [writer] })
    else if (!pending) {
      const [row] = yield* current.query({ ...standing, values: [writer] })
      if (row?.[0] !== number) return yield* new Behind({ writer, number })
    }
    current.warned()
    registered = current
    return current
  })

  const settle: Effect.Effect<Outcome | undefined, Behind | Failure.Failure> = Effect.gen(function* () {
    if (!pending) return undefined
    const current = yield* session
    const [row] = yield* current.query({ ...ask, values: [writer, number + 1] })
    // A warning is that of a commit whose copy on the standby was not waited for.
    if (current.warned()) return yield* new Failure.Lost({ cause: "the server did not wait for its standby" })
    if (row?.[0] !== number + 1) return yield* new Behind({ writer, number })
    pending = false
    number += 1
    const codes = codesOf(row[1])
    return codes !== undefined
      ? { _tag: "Committed", codes }
      : notCommitted(new Failure.Lost({ cause: "declared lost" }))
  })

  const attempt = (encode: (number: number) => string): Effect.Effect<Outcome, Behind | Failure.Failure> =>
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

  /** The server answered: nothing of the batch is there, and its number is free. */
  const refused = (failure: Failure.Refused): Effect.Effect<Outcome, Behind> => {
    pending = false
    return failure.state === fenced
      ? Effect.fail(new Behind({ writer, number }))
      : Effect.succeed(notCommitted(failure))
  }

  const lost = (failure: Failure.Lost): Effect.Effect<Outcome, Behind> =>
    pending
      ? Effect.catch(
          Effect.map(settle, (outcome) => outcome ?? notCommitted(failure)),
          (error): Effect.Effect<Outcome, Behind> =>
            error._tag === "Behind" ? Effect.fail(error) : Effect.succeed({ _tag: "Unknown", failure })
        )
      : Effect.succeed(notCommitted(failure))

  const send = (encode: (number: number) => string): Effect.Effect<Outcome, Behind> =>
    Effect.catch(attempt(encode), (error) => {
      switch (error._tag) {
        case "Behind":
          return Effect.fail(error)
        case "Refused":
          return refused(error)
        case "Lost":
          return lost(error)
      }
    })

  /** A number is used once the outcome of the one before is known: until then nothing is sent, and nothing can have happened. */
  const commit = (encode: (number: number) => string): Effect.Effect<Outcome, Behind> =>
    pending
      ? Effect.matchEffect(settle, {
          onSuccess: () => send(encode),
          onFailure: (error): Effect.Effect<Outcome, Behind> =>
            error._tag === "Behind"
              ? Effect.fail(error)
              : Effect.succeed(notCommitted(new Failure.Refused({ state: undefined, cause: error })))
        })
      : send(encode)

  return { writer, number: () => number, commit: (encode) => Effect.suspend(() => commit(encode)), settle }
})
