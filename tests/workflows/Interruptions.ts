/** Flows that are begun twice, or cut off in the middle and run again: by a timeout, a caller who goes away, or an operator. */
import { CustomerBrowser } from "@pay/flows/CustomerBrowser"
import type { FlowEngine } from "@pay/flows/FlowEngine"
import * as Client from "@pay/transport/PayClient"
import { PayClient } from "@pay/transport/PayClient"
import { type Context, Effect, Exit, Fiber, Layer } from "effect"
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

/** Starts a flow twice at the same time, on an engine that stores its steps. */
export const startedTwice = (prepared: PreparedRun): PreparedRun => ({
  ...prepared,
  start: Effect.all([prepared.start, prepared.start], { concurrency: "unbounded" }),
  ended: Effect.map(Effect.all([prepared.ended, prepared.ended], { concurrency: "unbounded" }), (ends) =>
    [...new Set(ends)].join(", ")
  )
})

/**
 * Interrupts a flow on an engine that stores its steps, and starts it again: the first time at its first request, the second time at the
 * answer to it, and so on. Its caller cannot end it there.
 */
export const interruptedEverywhere = (prepared: PreparedRun) => {
  let cuts = 0
  let reached = 0
  let interrupt: Effect.Effect<void> = Effect.void
  const cut = Effect.suspend(() => (reached++ === cuts ? interrupt : Effect.void))
  const outside = <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      yield* cut
      const exit = yield* Effect.exit(work)
      yield* cut
      return yield* exit
    })
  const shop = Layer.unwrap(
    Effect.gen(function* () {
      const customerBrowser = yield* CustomerBrowser
      return Layer.merge(
        Layer.succeed(PayClient, Client.around(yield* PayClient, outside)),
        Layer.succeed(CustomerBrowser, { send: (visit) => outside(customerBrowser.send(visit)) })
      )
    })
  )
  const ended: PreparedRun["ended"] = Effect.gen(function* () {
    for (;;) {
      const end = yield* prepared.ended
      if (end !== "Interrupted") return end
      cuts += 1
      reached = 0
      yield* prepared.start
    }
  })
  return {
    cuts: () => cuts,
    prepared: {
      ...prepared,
      engine: (path: string) => Layer.provide(prepared.engine(path), shop),
      cluster: (path: string) => Layer.provide(prepared.cluster(path), shop),
      start: Effect.contextWith((context: Context.Context<FlowEngine | PayClient | CustomerBrowser>) => {
        interrupt = Effect.provideContext(prepared.interrupt, context)
        return prepared.start
      }),
      ended
    }
  }
}
