/** Programs that end in one process: begun twice, or cut off in the middle by a timeout or a caller who goes away, and run again. */
import { CustomerBrowser } from "@pay/flows/CustomerBrowser"
import type { FlowEngine } from "@pay/flows/FlowEngine"
import * as Client from "@pay/transport/PayClient"
import { PayClient } from "@pay/transport/PayClient"
import { Effect, Exit, Fiber } from "effect"
import type { Fault } from "./Faults.ts"
import type { PreparedRun } from "./PreparedRun.ts"

const mostRuns = 100

/**
 * Runs it until it comes to its end: the first time it is cut off before its first request, the second time after it, then
 * before the next request or action of the browser, and so on.
 */
export const cutOffEverywhere = <A, E>(program: Effect.Effect<A, E, FlowEngine | PayClient | CustomerBrowser>) =>
  Effect.gen(function* () {
    const client = yield* PayClient
    const customerBrowser = yield* CustomerBrowser
    for (let cutAt = 0; cutAt < mostRuns; cutAt += 1) {
      let reached = 0
      const cut = Effect.suspend(() => (reached++ === cutAt ? Effect.interrupt : Effect.void))
      const outside = <B, F, R>(work: Effect.Effect<B, F, R>) =>
        Effect.gen(function* () {
          yield* cut
          const exit = yield* Effect.exit(work)
          yield* cut
          return yield* exit
        })
      const fiber = yield* Effect.forkChild(
        program.pipe(
          Effect.provideService(PayClient, Client.around(client, outside)),
          Effect.provideService(CustomerBrowser, { send: (visit) => outside(customerBrowser.send(visit)) })
        )
      )
      const exit = yield* Fiber.await(fiber)
      if (Exit.isSuccess(exit) || reached <= cutAt) return { cuts: cutAt, outcome: yield* exit }
    }
    return yield* Effect.die(new Error(`no end in ${mostRuns} runs`))
  })

/** Returns how the run ends: as it says itself, by its error's tag, or in both ways where two of them begin at once. */
export const endOf = ({ program }: PreparedRun, { twice, unreachable }: Pick<Fault, "twice" | "unreachable">) => {
  const end = program.pipe(
    Effect.retry({ while: ({ retryable }) => retryable, times: unreachable === undefined ? 0 : 1 }),
    Effect.catch(({ _tag }) => Effect.succeed(_tag))
  )
  return twice === true
    ? Effect.map(Effect.all([end, end], { concurrency: "unbounded" }), (ends) => [...new Set(ends)].join(", "))
    : end
}
