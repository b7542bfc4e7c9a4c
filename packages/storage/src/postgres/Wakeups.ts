/** Hears from other processes that they left jobs which are due. What is missed while a connection is made anew is found by polling. */

import { Effect, Schedule, type Scope } from "effect"
import { quote } from "../Ddl.ts"
import { dueChannel } from "./CommitFunction.ts"
import type { Connection } from "./Connections.ts"
import type { Session } from "./Session.ts"

/** How often is looked whether the connection still stands. */
const every = Schedule.spaced("1 second")

/** `process`: the name under which this process's own lanes tell of their jobs. */
export const make = Effect.fnUntraced(function* (
  connection: Connection,
  process: string
): Effect.fn.Return<(wake: () => void) => void, never, Scope.Scope> {
  const callbacks: Array<() => void> = []
  let listening: Session | undefined
  const listen = Effect.gen(function* () {
    const session = yield* connection.session
    if (session === listening) return
    yield* session.query({ text: `LISTEN ${quote(dueChannel)}`, values: [] })
    session.onNotification((writer) => {
      if (!writer.startsWith(`${process}.`)) for (const wake of callbacks) wake()
    })
    listening = session
    for (const wake of callbacks) wake()
  })
  yield* Effect.forkScoped(Effect.repeat(Effect.ignore(listen), every))
  return (wake) => {
    callbacks.push(wake)
  }
})
