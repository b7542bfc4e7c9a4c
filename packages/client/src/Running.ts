/** Runs programs of Effect as Promises, each with the client, the steps and the events of one merchant. */
import { CustomerBrowser } from "@pay/flows/CustomerBrowser"
import { FlowEngine } from "@pay/flows/FlowEngine"
import type { Shape } from "@pay/flows/Steps"
import type { VisitStore } from "@pay/flows/VisitStore"
import { PayClient } from "@pay/transport/PayClient"
import { Cause, Duration, Effect, Exit, Option, Tracer } from "effect"
import type { Browser, PayEvent, RunOptions } from "./contract/Client.ts"
import type { Observation } from "./Observations.ts"

/** One merchant's services. */
export interface Services {
  readonly client: PayClient["Service"]
  readonly engine: FlowEngine["Service"]
  /** Wakes the watches of the client. */
  readonly steps: Shape
  /** The next pages of customers' browsers. */
  readonly visits: VisitStore
  /** Returns what the client has learned about an order. */
  readonly observed: (clientOrderId: string) => Observation
  readonly onEvent: ((event: PayEvent) => void) | undefined
  /** Ends all programs of the client. */
  readonly signal?: AbortSignal | undefined
}

class EventSpan extends Tracer.NativeSpan {
  readonly #onEnd: (span: Tracer.NativeSpan, endNanos: bigint) => void

  constructor(
    options: ConstructorParameters<typeof Tracer.NativeSpan>[0],
    onEnd: (span: Tracer.NativeSpan, endNanos: bigint) => void
  ) {
    super(options)
    this.#onEnd = onEnd
  }

  override end(endNanos: bigint, exit: Exit.Exit<unknown, unknown>): void {
    super.end(endNanos, exit)
    this.#onEnd(this, endNanos)
  }
}

/**
 * Reports each call and flow to the listener when it ends. An exception of the listener fails no call; it is an uncaught
 * exception of the process.
 */
const tracer = (onEvent: (event: PayEvent) => void): Tracer.Tracer =>
  Tracer.make({
    span: (options) =>
      new EventSpan(options, ({ attributes, name, status }, endNanos) => {
        const durationMs = Number(endNanos - status.startTime) / 1e6
        const event = { name, durationMs, attributes: Object.fromEntries(attributes) }
        queueMicrotask(() => onEvent(event))
      })
  })

const noBrowser: Browser = () => {}

/** Makes the service through which flows reach the customer's browser. */
export const browserOf = (browser: Browser = noBrowser) =>
  CustomerBrowser.of({
    send: (visit) => Effect.promise(async () => browser(visit))
  })

/** Returns the signal that ends a call: its own, that of the client, or either of both. */
const eitherOf = (own: AbortSignal | undefined, ofClient: AbortSignal | undefined): AbortSignal | undefined =>
  own === undefined || ofClient === undefined ? (own ?? ofClient) : AbortSignal.any([own, ofClient])

/** Runs a program and returns its exit. Throws the reason of the signal if the signal ended the program, and throws defects. */
export const exitOf = async <A, E>(
  { client, engine, onEvent, signal: ofClient }: Services,
  program: Effect.Effect<A, E, FlowEngine | PayClient | CustomerBrowser>,
  { browser, signal: own }: RunOptions = {}
): Promise<Exit.Exit<A, E>> => {
  const provided = program.pipe(
    Effect.provideService(PayClient, client),
    Effect.provideService(CustomerBrowser, browserOf(browser)),
    Effect.provideService(FlowEngine, engine),
    onEvent === undefined ? (self) => self : Effect.provideService(Tracer.Tracer, tracer(onEvent))
  )
  const signal = eitherOf(own, ofClient)
  signal?.throwIfAborted()
  const exit = await Effect.runPromiseExit(provided, signal === undefined ? {} : { signal })
  if (Exit.isFailure(exit)) {
    if (Cause.hasInterrupts(exit.cause)) signal?.throwIfAborted()
    if (!exit.cause.reasons.some(Cause.isFailReason)) throw Cause.squash(exit.cause)
  }
  return exit
}

/** Returns the error of an exit that failed. */
export const errorOf = <E>(exit: Exit.Exit<unknown, E>): Option.Option<E> =>
  Exit.isFailure(exit) ? Cause.findErrorOption(exit.cause) : Option.none()

/** Runs a program for a limited time. Returns `None` if the time is over. Without `timeoutMs` the time is not limited. */
export const within = <A, E, R>(
  program: Effect.Effect<A, E, R>,
  timeoutMs: number | undefined
): Effect.Effect<Option.Option<A>, E, R> =>
  timeoutMs === undefined ? Effect.map(program, Option.some) : Effect.timeoutOption(program, Duration.millis(timeoutMs))
