/** The requests of the shop: assigns each to its order, lets it meet its fault, and remembers what was asked and answered. */
import { Duration, Effect, FiberSet, type Scope } from "effect"
import type { FaultAt, Order } from "../plan/Payment.ts"
import * as AnswerFacts from "./AnswerFacts.ts"
import type { Exchange, GatewayBroke } from "./FaultProxy.ts"
import * as NoReplays from "./NoReplays.ts"
import type { OpenOrders } from "./OpenOrders.ts"
import * as RequestFacts from "./RequestFacts.ts"
import * as RequestFaults from "./RequestFaults.ts"
import * as Strangers from "./Strangers.ts"
import type { Watched } from "./Watched.ts"
import type { Together } from "./World.ts"

export interface Options {
  readonly orders: OpenOrders
  readonly lateMs: number
  readonly publicBaseUrl: string
  readonly refusal: (error: "rateLimited" | "serverError", received: RequestFacts.Received) => AnswerFacts.Answer
  /** Present: the gateway creates a second order where ours recognises a repetition. */
  readonly noReplays?: NoReplays.NoReplays | undefined
  /** Whether the clock of the shop is ahead now. */
  readonly isAhead: () => boolean
}

export interface Requests {
  readonly handle: (exchange: Exchange) => Effect.Effect<void>
  readonly open: (order: Order, together: Together) => Effect.Effect<void>
  readonly close: (order: Order) => void
}

/** Longest time that an answer waits for the callback that comes before it. */
const longestHold = Duration.seconds(1)

/** One request of an open order. */
interface ShopRequest {
  readonly watched: Watched
  readonly facts: RequestFacts.RequestFacts
  readonly exchange: Exchange
  readonly index: number
}

/** Waits until the callback has arrived that has to come before the answer. */
const afterCallback = ({ facts, watched }: ShopRequest): Effect.Effect<void> => {
  const next = watched.faultAt("callback", watched.callbackCount + 1)
  if (next?.fault !== "earlyCallback" || facts.operation.acts === "reads") return Effect.void
  return Effect.callback<void>((resume) => Effect.sync(watched.holdAnswer(() => resume(Effect.void)))).pipe(
    Effect.timeoutOption(longestHold),
    Effect.asVoid
  )
}

/** Passes a request on, and remembers its answer. */
const passed = (
  { noReplays, orders }: Options,
  strangers: Strangers.Strangers,
  { exchange, facts, watched }: ShopRequest
): Effect.Effect<AnswerFacts.Answer, GatewayBroke> =>
  Effect.suspend(() => {
    const outgoing = noReplays?.outgoing(watched, facts, exchange.received)
    return Effect.tap(exchange.pass(outgoing?.received ?? exchange.received), (answer) =>
      Effect.sync(() => outgoing?.answered(answer))
    )
  }).pipe(
    Effect.tap((answer) =>
      Effect.sync(() => {
        orders.learn(watched, { numbers: AnswerFacts.numbersOf(AnswerFacts.fieldsOf(answer)) })
        strangers.keep(watched.order, facts.operation.name, answer)
        watched.tell("shop", `${facts.question} -> ${AnswerFacts.describe(answer)}`)
      })
    ),
    Effect.tapError(({ message }) =>
      Effect.sync(() => watched.tell("shop", `${facts.question} -> the gateway broke the connection: ${message}`))
    )
  )

/** Lets the shop get answers of a gateway without replays. */
const withoutReplays = (exchange: Exchange): Exchange => ({
  ...exchange,
  reply: (answer) => exchange.reply(NoReplays.ofShop(answer)),
  replyPart: (answer) => exchange.replyPart(NoReplays.ofShop(answer))
})

export const make = (options: Options): Effect.Effect<Requests, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { isAhead, lateMs, noReplays, orders, publicBaseUrl, refusal } = options
    const run = yield* FiberSet.makeRuntime<never>()
    const strangers = new Strangers.Strangers()

    const reached = (watched: Watched, at: FaultAt): Effect.Effect<void> =>
      Effect.suspend(() => {
        watched.meet(at)
        return watched.together.reached(watched.order, at)
      })

    /** Connections are refused before a request of the shop could arrive: from the answer to the request before it. */
    const refuseNext = (watched: Watched, index: number): void => {
      const at = watched.faultAt("request", index + 1)
      if (at?.fault === "refused" && !watched.hasMet(at)) run(reached(watched, at))
    }

    const meet = (request: ShopRequest): Effect.Effect<void> => {
      const { exchange, facts, index, watched } = request
      const at = watched.faultAt("request", index)
      const answered = facts.operation.acts === "reads" ? () => undefined : watched.waits()
      const onItsWay = Effect.sync(answered)
      const met = Effect.sync(() => at !== undefined && watched.meet(at))
      const meeting: RequestFaults.Meeting = {
        ...exchange,
        pass: passed(options, strangers, request).pipe(
          Effect.ensuring(met),
          Effect.tap(() => afterCallback(request)),
          Effect.ensuring(onItsWay)
        ),
        reached: at === undefined ? Effect.void : reached(watched, at),
        refusal: (error) => refusal(error, exchange.received),
        other: (own) => strangers.answer(watched.order, facts.operation.name, own),
        lateMs
      }
      if (at !== undefined && RequestFaults.arrivesNot.has(at.fault)) {
        watched.tell("shop", `${facts.question} -> nothing`)
        watched.meet(at)
      }
      return RequestFaults.meet(at?.fault, meeting).pipe(
        Effect.catch(() => exchange.breakOff),
        Effect.ensuring(onItsWay)
      )
    }

    const handle = (received: Exchange): Effect.Effect<void> =>
      Effect.suspend(() => {
        const exchange = noReplays === undefined ? received : withoutReplays(received)
        const facts = RequestFacts.read(exchange.received, publicBaseUrl)
        const creates = facts?.operation.acts === "creates"
        const watched = facts === undefined ? undefined : creates ? orders.ofCreation(facts) : orders.of(facts)
        if (facts === undefined || watched === undefined)
          return Effect.flatMap(exchange.pass(exchange.received), exchange.reply).pipe(
            Effect.catch(() => exchange.breakOff)
          )
        if (creates) orders.learn(watched, { clientOrderId: facts.clientOrderId })
        if (isAhead()) for (const at of watched.wholeFaults("clock")) watched.meet(at)
        const index = watched.request(facts.operation.command)
        return Effect.ensuring(
          meet({ watched, facts, exchange, index }),
          Effect.sync(() => refuseNext(watched, index))
        )
      })

    return {
      handle,
      open: (order, together) => Effect.sync(() => refuseNext(orders.open(order, together), 0)),
      close: (order) => {
        strangers.forget(order)
        orders.close(order)
      }
    }
  })
