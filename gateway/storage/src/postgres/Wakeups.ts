/** Receives notifications of other processes about due jobs. The scheduler's ticks find jobs whose notification was missed. */

import { Effect, Schedule, type Scope } from "effect"
import { quote } from "../Ddl.ts"
import { dueChannel } from "./CommitFunction.ts"
import type { Connection } from "./Connections.ts"
import type { Session } from "./Session.ts"

/** Interval of the checks whether the connection is still open. */
const every = Schedule.spaced("1 second")

/** Starts to listen. `process`: the name under which the channels of this process notify others. */
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
