/**
 * Runs actions on one order one after another, for gateways without `Idempotency-Key`. There the amounts before and after a
 * request show whether it was carried out, so no other action of the engine may come between. Each action takes the next turn of
 * its order and begins when all earlier ones have ended. A turn whose action ended without a known outcome is left open: its
 * request may still arrive. The next action then waits until it must have arrived, or a person is asked.
 */
import { randomUUID } from "node:crypto"
import { Duration, Effect, Exit, Option, Result, Schema } from "effect"
import { FlowSettings } from "../engine/FlowSettings.ts"
import * as Steps from "../engine/Steps.ts"
import type * as FlowError from "../order/FlowError.ts"
import type { OrderStatus } from "../order/OrderStatus.ts"
import { keyOf, type OnOrder } from "./Action.ts"
import type { ActionPlan } from "./ActionPlan.ts"
import * as Ending from "./Ending.ts"
import * as Turns from "./Turns.ts"

/** The code of the error of an action that was not sent because another action on its order has not ended. */
const busy = "ORDER_BUSY"

/** The waits between looks. A look without a signal is needed only if an owner ended, or its process did, without sending one. */
const pauses: ReadonlyArray<Duration.Duration> = [
  ...[5, 10, 20, 40, 80, 160, 320].map(Duration.seconds),
  ...Array.from({ length: 17 }, () => Duration.minutes(10))
]

/** A turn that has come. */
export interface Turn {
  /** Whether no other action of this engine has had a turn on the order. */
  readonly isFirst: boolean
  /** Whether no action with an unknown outcome can still change the order. */
  readonly isAlone: boolean
  /** What the order showed at the end of the latest action. */
  readonly shows: string | undefined
  /** Is called before the request is sent. From then on an interruption leaves the turn open. */
  readonly begin: () => void
}

/** The place of an action in the queue of its order. */
interface Place {
  readonly turns: Turns.OrderTurns
  readonly signalKeyOf: (turn: number) => string
  turn: number | undefined
  isBegun: boolean
}

const placeOf = Effect.fnUntraced(function* (followUp: OnOrder, { isOpen, order }: ActionPlan) {
  const { merchant, owner, run, turns: store } = yield* Steps.Steps
  const gateway = merchant.slice(merchant.lastIndexOf("@") + 1)
  const name = `${gateway}/${followUp.orderId ?? order?.orderId ?? followUp.clientOrderId}`
  const me = { ...owner, action: yield* keyOf(followUp), token: run === "" ? randomUUID() : "" }
  const place: Place = {
    turns: Turns.make(store, name, me),
    signalKeyOf: (turn) => `turn ${turn} on order ${name}`,
    turn: undefined,
    isBegun: isOpen
  }
  return place
})

/** Ends the turn and wakes the next action. Returns whether no other action had ended the turn. */
const release = Effect.fnUntraced(function* (place: Place, state: Turns.State, shows?: string) {
  if (place.turn === undefined) return true
  const { isOwn, next } = yield* place.turns.end(place.turn, state, shows)
  if (next !== undefined) yield* Steps.signal(place.signalKeyOf(next))
  return isOwn
})

const Taken = Schema.Struct({ turn: Schema.Int, view: Turns.View })

/** Takes a turn and waits until it has come. Returns `undefined` if that takes too long. */
const wait = Effect.fnUntraced(function* (place: Place, step: string, openForMs: number) {
  const { signalKeyOf, turns } = place
  const took = Effect.flatMap(turns.take, (turn) => {
    place.turn = turn
    return Effect.map(turns.look(turn, openForMs), (view) => ({ turn, view }))
  })
  const taken = yield* Steps.step(`${step} turn`, { success: Taken, error: Schema.Never }, took)
  const { turn } = taken
  place.turn = turn
  let { view } = taken
  for (let look = 1, waited = 0; view.behind !== undefined; look += 1) {
    const timeout = pauses[waited]
    if (timeout === undefined) return undefined
    const name = `${step} turn ${look}, after ${view.behind}`
    const signal = yield* Steps.awaitSignal(name, { key: signalKeyOf(turn), timeout })
    if (Option.isNone(signal)) waited += 1
    const schemas = { success: Turns.View, error: Schema.Never }
    view = yield* Steps.step(`${step} turn look ${look}`, schemas, turns.look(turn, openForMs))
  }
  return { view, turn }
})

/** Errors after which the order is as it was. */
const nothingDone: ReadonlySet<FlowError.FlowError["_tag"]> = new Set([
  ...(["Declined", "Filtered", "Failed"] as const),
  ...(["NotAccepted", "Unreachable", "NeverHappened"] as const)
])

/** Returns the state in which an action leaves its turn. */
const stateAfter = (ended: Result.Result<unknown, FlowError.FlowError>, place: Place): Turns.State => {
  if (Result.isSuccess(ended)) return "done"
  return nothingDone.has(ended.failure._tag) ? "left" : openOrLeft(place)
}

/** Runs the action when all earlier ones on its order have ended. `showsOf`: what an order shows, to be compared. */
export const inTurn = <E extends FlowError.FlowError, R>(
  followUp: OnOrder,
  plan: ActionPlan,
  showsOf: (order: OrderStatus) => string,
  action: (turn: Turn) => Effect.Effect<OrderStatus, E, R>
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { addFinalizer } = yield* Steps.Steps
      const place = yield* placeOf(followUp, plan)
      yield* addFinalizer(() => Effect.asVoid(release(place, openOrLeft(place))))
      const act = actWhenCome(followUp, plan, place, action)
      const ended = yield* Effect.result(act).pipe(
        Effect.onExit((exit) =>
          Effect.sync(() => {
            if (Exit.isFailure(exit) && place.turn !== undefined) place.turns.abandon(place.turn, openOrLeft(place))
          })
        )
      )
      const shows = Result.isSuccess(ended) ? showsOf(ended.success) : undefined
      const isOwn = yield* Steps.step(
        `${followUp.step} turn end`,
        { success: Schema.Boolean, error: Schema.Never },
        release(place, stateAfter(ended, place), shows)
      )
      place.turn = undefined
      if (Result.isFailure(ended)) return yield* Effect.fail(ended.failure)
      if (isOwn) return ended.success
      const { clientOrderId, operation, trail } = followUp
      const reason = "another action on the order began before this one had ended"
      return yield* Ending.needsAPerson(operation.name, reason, { clientOrderId, trail }, ended.success)
    })
  )

const openOrLeft = ({ isBegun }: Place) => (isBegun ? "open" : "left")

/** Waits for the turn and acts. An action that another one may be mistaken for is not sent. */
const actWhenCome = Effect.fnUntraced(function* <E extends FlowError.FlowError, R>(
  { clientOrderId, operation, step, trail }: OnOrder,
  { answersByRequest, isOpen, showsFollowUps }: ActionPlan,
  place: Place,
  action: (turn: Turn) => Effect.Effect<OrderStatus, E, R>
) {
  const about = { clientOrderId, trail }
  const needsAPerson = (reason: string) => Ending.needsAPerson(operation.name, reason, about)
  const { hiddenPeriod, quietPeriod } = yield* FlowSettings
  const openFor = Duration.fromInputUnsafe(showsFollowUps ? quietPeriod : hiddenPeriod)
  const come = yield* wait(place, step, Duration.toMillis(openFor))
  if (come === undefined) return yield* Ending.unreachable({ operation: operation.name, code: busy }, about)
  const { open, shows, twin } = come.view
  if (!isOpen && twin !== undefined) return yield* needsAPerson(`${twin} is the same action: this one was not sent`)
  if (!isOpen && open !== undefined) {
    if (!showsFollowUps && !answersByRequest)
      return yield* needsAPerson(`the outcome of ${open} on the order is unknown: this one was not sent`)
    yield* Steps.sleep(`${step} turn quiet`, quietPeriod)
  }
  return yield* action({
    isFirst: come.turn === 1,
    isAlone: open === undefined || showsFollowUps,
    shows,
    begin: () => {
      place.isBegun = true
    }
  })
})
