/**
 * Waits until an order, or one request about it, can no longer move: a callback or a question, whichever is first. A
 * callback only wakes; the outcome is what `status` says.
 */
import * as PayApi from "@pay/schema/PayApi"
import * as Status from "@pay/schema/Status"
import { Duration, Effect, Option, Schedule, Schema } from "effect"
import * as Ask from "./Ask.ts"
import * as Ending from "./Ending.ts"
import type * as Evidence from "./Evidence.ts"
import * as FieldNames from "./FieldNames.ts"
import * as Flow from "./Flow.ts"
import * as FlowError from "./FlowError.ts"
import { OrderStatus } from "./OrderStatus.ts"
import * as Steps from "./Steps.ts"

/** The published advice: every 4 seconds for 5 minutes, every 7½ minutes up to an hour, then no more. */
export const pauses: ReadonlyArray<Duration.Duration> = [
  ...Array.from({ length: 75 }, () => Duration.seconds(4)),
  ...Array.from({ length: 7 }, () => Duration.seconds(450)),
  Duration.seconds(150)
]

/** A customer who waits is worth three quick looks more: what the browser has to do next is mostly known within a second. */
const promptPauses: ReadonlyArray<Duration.Duration> = [Duration.millis(300), Duration.seconds(1), Duration.seconds(2)]

/** {@link pauses} for a program of one's own: `Effect.repeat(status, { schedule: AwaitFinal.polling, until: isFinal })`. */
export const polling: Schedule.Schedule<number> = Schedule.recurs(pauses.length).pipe(
  Schedule.addDelay(({ output }) => Effect.succeed(pauses[output] ?? Duration.zero))
)

/** What is signalled when there may be news of the order: a callback came, or the customer's browser. */
export const newsKey = (clientOrderId: string): string => `news:${clientOrderId}`

/** The news of a customer who will not come back. */
export const gaveUp = "gave up"

/**
 * The number of signals that may wake the flow. After that only time decides when to ask, because a customer may reload a page
 * very often.
 */
const mostWakes = 100

/** Refusals in a row after which asking on would not help. */
const mostRefusals = 5

interface Watch {
  /** Names of the steps begin so. */
  readonly step: string
  readonly named: Ask.Named
  readonly trail: Evidence.Trail
  /** What else is waited for. */
  readonly until?: (report: Ask.StatusReport) => boolean
  /** Somebody sits before a screen. */
  readonly isPrompt?: boolean
}

/** Asks until nothing moves any more, or until what is said is what is waited for. `isAlone`: the customer gave up. */
export const watch = Effect.fnUntraced(function* ({
  isPrompt = false,
  named,
  step,
  trail,
  until = () => false
}: Watch) {
  const about = { clientOrderId: named.clientOrderId, trail }
  const waits = isPrompt ? [...promptPauses, ...pauses] : pauses
  let latest: OrderStatus | undefined
  let refusals = 0
  let isAlone = false
  let wakes = 0
  for (let question = 1, waited = 0; ; question += 1) {
    const { askedAtMs, ended } = yield* Ask.status(`${step} ${question}`, named, trail)
    if (ended._tag === "Answered") {
      latest = ended.answer.order
      if (Status.isFinal(latest.status) || until(ended.answer)) {
        return { ...ended.answer, askedAtMs, isAlone }
      }
    }
    const name = `${step} news ${question}`
    if (Ask.isThrottled(ended) && !(yield* Steps.isRecorded(name))) break
    refusals = ended._tag === "Refused" && !ended.retryable ? refusals + 1 : 0
    const timeout = waits[waited]
    if (refusals === mostRefusals || timeout === undefined) break
    const news =
      wakes < mostWakes
        ? yield* Steps.awaitSignal(name, { key: newsKey(named.clientOrderId), timeout })
        : yield* Effect.as(Steps.sleep(name, timeout), Option.none())
    isAlone = isAlone || Option.contains(news, gaveUp)
    if (Option.isSome(news)) wakes += 1
    else waited += 1
  }
  return yield* Ending.stillUnknown("STATUS", about, latest)
})

const described = (description: string) => Schema.String.annotate({ description })

/**
 * The last word about an order, or with `serialNumber` about one request: approved or an error that says why not. Ends
 * after an hour at most.
 */
export const AwaitFinal = Flow.make({
  name: "AwaitFinal",
  summary: "Waits for the final status of an order, or of one request about it.",
  operation: PayApi.operations.STATUS,
  payload: Schema.Struct({
    clientOrderId: FieldNames.storedAs("client_orderid", described("Your own identifier of the order.")),
    orderId: Schema.optionalKey(FieldNames.storedAs("orderid", described("The gateway's identifier of the order."))),
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
