/**
 * A merchant's process in the simulated world: flows in memory, with default settings, over a network that has faults, and an inbox
 * for callbacks. When it is killed its flows end where they are; what was asked for is begun again under the same name.
 */
import * as CallbackInbox from "@pay/flows/CallbackInbox"
import { Shopper } from "@pay/flows/Shopper"
import * as Steps from "@pay/flows/Steps"
import * as Sandbox from "@pay/server/Sandbox"
import * as PayClient from "@pay/transport/PayClient"
import * as Wire from "@pay/transport/Wire"
import { Context, Effect, Fiber, Redacted } from "effect"
import { endOf } from "../Effects.ts"
import type { Loop } from "../Loop.ts"
import type { Trace } from "../Trace.ts"
import type { Ended, Wish } from "./Wishes.ts"

interface Instance {
  readonly context: Context.Context<PayClient.PayClient | Shopper>
  readonly inbox: CallbackInbox.CallbackInbox["Service"]
  readonly flows: Set<Fiber.Fiber<unknown, unknown>>
  isKilled: boolean
}

export interface MerchantProcess {
  /** Begins the wish's flow, or begins it again; its end is told to `onEnd` unless the process is killed before. */
  readonly begin: (wish: Wish, onEnd: (ended: Ended) => void) => void
  /** Flows that have not ended. */
  readonly running: () => number
  /** A callback arrives; the answer's status. */
  readonly receive: (url: string, headers: Readonly<Record<string, string>>) => Effect.Effect<number>
  /** The process is killed and started again: all that it kept in memory is gone. */
  readonly restart: Effect.Effect<void>
}

export const baseUrl = "http://127.0.0.1"

export const make = Effect.fnUntraced(function* (options: {
  readonly loop: Loop
  readonly trace: Trace
  /** What every fiber of the process needs: clock, scheduler, chance. */
  readonly context: Context.Context<never>
  readonly wire: Wire.Wire["Service"]
}) {
  const { trace } = options
  const { controlKey, endpoints, login, privateKeyPem } = Sandbox.merchant
  const run = Effect.runForkWith(options.context)

  const start = Effect.gen(function* () {
    const client = yield* Effect.orDie(
      PayClient.make({
        baseUrl,
        login,
        controlKey: Redacted.make(controlKey),
        privateKey: Redacted.make(privateKeyPem),
        endpointId: endpoints.usd,
        rsaOnPool: false
      })
    ).pipe(Effect.provideService(Wire.Wire, options.wire))
    const steps = Steps.makeMemory()
    const context = Context.make(PayClient.PayClient, client).pipe(
      Context.add(Shopper, { send: () => Effect.void }),
      Context.add(Steps.Steps, steps)
    )
    const inbox = yield* CallbackInbox.make({ keys: { controlKeys: [Redacted.make(controlKey)] } }).pipe(
      Effect.provideContext(context)
    )
    return { context, inbox, flows: new Set(), isKilled: false } satisfies Instance as Instance
  })

  let instance = yield* start

  return {
    begin: (wish, onEnd) => {
      const own = instance
      wish.intent.end = "moving"
      wish.intent.runs += 1
      trace.note(`merchant begins ${wish.flow} ${wish.intent.name}`)
      const fiber = run(Effect.provideContext(wish.run, own.context))
      own.flows.add(fiber)
      fiber.addObserver((exit) => {
        own.flows.delete(fiber)
        if (own.isKilled) return
        if (exit._tag === "Failure") throw new Error(`${wish.flow} ${wish.intent.name} died: ${String(exit.cause)}`)
        wish.intent.end = endOf(exit.value.tag, wish.intent)
        trace.note(`merchant's ${wish.flow} ${wish.intent.name} ends ${exit.value.tag}`)
        onEnd(exit.value)
      })
    },
    running: () => instance.flows.size,
    receive: (url, headers) =>
      Effect.suspend(() => Effect.map(instance.inbox.receive({ method: "GET", url, headers }), ({ status }) => status)),
    restart: Effect.gen(function* () {
      instance.isKilled = true
      trace.note("merchant is killed")
      yield* Effect.forEach([...instance.flows], Fiber.interrupt, { discard: true })
      instance = yield* start
    })
  } satisfies MerchantProcess as MerchantProcess
})
