/**
 * Waits until an order, or one request about it, has a final status. The status always comes from `status`. A callback only makes
 * the flow request it earlier.
 */
import * as PayApi from "@pay/schema/PayApi"
import * as Status from "@pay/schema/Status"
import { PayClient } from "@pay/transport/PayClient"
import { Context, Duration, Effect, Option, Schedule, Schema } from "effect"
import * as Flow from "../engine/Flow.ts"
import * as Steps from "../engine/Steps.ts"
import type * as Evidence from "../order/Evidence.ts"
import * as FlowError from "../order/FlowError.ts"
import { OrderStatus } from "../order/OrderStatus.ts"
import * as Ask from "./Ask.ts"
import * as Ending from "./Ending.ts"

/** The waits between status requests, by the published advice: 4 seconds for 5 minutes, then 7½ minutes up to an hour. */
export const pauses: ReadonlyArray<Duration.Duration> = [
  ...Array.from({ length: 75 }, () => Duration.seconds(4)),
  ...Array.from({ length: 7 }, () => Duration.seconds(450)),
  Duration.seconds(150)
]

/**
 * The waits between the status requests of flows; default: {@link pauses}. A merchant whose callbacks arrive reliably may provide fewer and
 * longer ones: `Effect.provideService(program, AwaitFinal.Pauses, [Duration.seconds(30), Duration.minutes(10)])`. A flow fails with
 * `StillUnknown` after the last of them. A flow that continues after a restart takes those of its new process from there on.
 */
export const Pauses = Context.Reference<ReadonlyArray<Duration.Duration>>("@pay/flows/AwaitFinal/Pauses", {
  defaultValue: () => pauses
})

/** Three shorter waits while a customer is present. The next action of the browser is usually available within a second. */
const promptPauses: ReadonlyArray<Duration.Duration> = [Duration.millis(300), Duration.seconds(1), Duration.seconds(2)]

/** A schedule with {@link pauses}, for programs: `Effect.repeat(status, { schedule: AwaitFinal.polling, until: isFinal })`. */
export const polling: Schedule.Schedule<number> = Schedule.recurs(pauses.length).pipe(
  Schedule.addDelay(({ output }) => Effect.succeed(pauses[output] ?? Duration.zero))
)

/** The key of the signal that the order may have changed: a callback arrived, or the customer's browser came back. */
export const orderSignalKey = (merchant: string, clientOrderId: string): string => `order:${merchant}:${clientOrderId}`

/** The value of the signal that the customer will not come back. */
export const gaveUp = "gave up"

/**
 * Number of signals that may wake the flow. After that only time decides when `status` is requested, because a customer may
 * reload a page very often.
 */
const mostWakes = 100

/** Number of consecutive refusals after which `status` is not requested again. */
const mostRefusals = 5

interface Watch {
  /** The prefix of the names of its steps. */
  readonly step: string
  readonly named: Ask.Named
  readonly trail: Evidence.Trail
  /** A further condition that ends the wait. */
  readonly until?: (report: Ask.StatusReport) => boolean
  /** Whether a customer waits in the browser, so that the first waits are shorter. */
  readonly isPrompt?: boolean
}

/** Requests `status` until it is final or `until` is true. `isAlone` in the result: the customer gave up. */
export const watch = Effect.fnUntraced(function* ({
  isPrompt = false,
  named,
  step,
  trail,
  until = () => false
}: Watch) {
  const about = { clientOrderId: named.clientOrderId, trail }
  const regular = yield* Pauses
  const waits = isPrompt ? [...promptPauses, ...regular] : regular
  let latest: OrderStatus | undefined
  let refusals = 0
  let isAlone = false
  let wakes = 0
  const { merchant } = yield* PayClient
  for (let question = 1, waited = 0; ; question += 1) {
    const { requestedAtMs, ended } = yield* Ask.status(`${step} ${question}`, named, trail)
    if (ended._tag === "Answered") {
      latest = ended.answer.order
      if (Status.isFinal(latest.status) || until(ended.answer)) {
        return { ...ended.answer, requestedAtMs, isAlone }
      }
    }
    const name = `${step} wait ${question}`
    if (Ask.isThrottled(ended)) break
    refusals = ended._tag === "Refused" ? refusals + 1 : 0
    const timeout = waits[waited]
    if (refusals === mostRefusals || timeout === undefined) break
    const signal =
      wakes < mostWakes
        ? yield* Steps.awaitSignal(name, { key: orderSignalKey(merchant, named.clientOrderId), timeout })
        : yield* Effect.as(Steps.sleep(name, timeout), Option.none())
    isAlone = isAlone || Option.contains(signal, gaveUp)
    if (Option.isSome(signal)) wakes += 1
    else waited += 1
  }
  return yield* Ending.stillUnknown("STATUS", about, latest)
})

const described = (description: string) => Schema.String.annotate({ description })

/**
 * Waits for the final status of an order, or with `serialNumber` of one request about it. Succeeds if it is approved, and fails
 * with the reason otherwise. Ends after about an hour at most.
 */
export const AwaitFinal = Flow.make({
  name: "AwaitFinal",
  summary: "Waits for the final status of an order, or of one request about it.",
  operation: PayApi.operations.STATUS,
  payload: Schema.Struct({
    clientOrderId: described("Your own identifier of the order."),
    orderId: Schema.optionalKey(described("The gateway's identifier of the order.")),
    serialNumber: Schema.optionalKey(
      described("`serial-number` of the request to wait for, if it is one request about the order.")
    ),
    endpointId: Schema.optionalKey(described("The endpoint or group to use, if not the client's own."))
  }),
  success: OrderStatus,
  error: Schema.Union([...FlowError.Unpaid.members, FlowError.StillUnknown]),
  idempotencyKey: ({ clientOrderId, serialNumber = "order" }) => Flow.identityOf(clientOrderId, serialNumber),
  run: Effect.fnUntraced(function* ({ clientOrderId, endpointId, orderId, serialNumber }) {
    const trail: Evidence.Trail = []
    const named = { clientOrderId, orderId, serialNumber, endpointId }
    const { order } = yield* watch({ step: "status", named, trail })
    return yield* Ending.conclude(order, { clientOrderId, trail })
  })
})
