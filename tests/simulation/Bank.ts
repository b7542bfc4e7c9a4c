/**
 * Bank, payout rail and 3-D Secure server of the simulation, on a clock of their own. Records which orders requests named under
 * which name of the merchant's, so that a check reads only the bookings of its order.
 */

import type { Chance } from "@pay/crashtest/Chance"
import {
  Acquirer,
  type AcquirerError,
  type Authorization,
  type FollowUp,
  type Inquiry,
  type Named,
  type Way,
  type Ways
} from "@pay/gateway/Acquirer"
import type { AttemptReference } from "@pay/gateway/BankBooks"
import { PayoutRail } from "@pay/gateway/PayoutRail"
import { ThreeDSServer } from "@pay/gateway/ThreeDSServer"
import { RailControl } from "@pay/sandbox/RailControl"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import * as SandboxWorld from "@pay/sandbox/SandboxWorld"
import { Clock, Effect, Layer } from "effect"
import { waysOf } from "../../gateway/gateway/src/orders/bank/UnknownOutcome.ts"
import { bankKinds } from "../../gateway/gateway/src/orders/record/Actions.ts"
import { bankKindOf } from "../../gateway/gateway/src/orders/record/Booking.ts"
import * as Intents from "./Intents.ts"

export interface OrderIndex {
  /** Returns the gateway's orders of this name. More than one is a payment that was made twice. */
  readonly orderIds: (name: string) => Iterable<string>
}

interface NotFound {
  readonly _tag: "NotFound"
}

/** A request that moves money, as bank or rail got it. */
export interface Send {
  readonly reference: string
  readonly atMs: number
}

const minuteMs = 60_000

/** How banks end the outcome of a lost answer: most by inquiry. */
const waysOfBanks: ReadonlyArray<ReadonlyArray<Way> | undefined> = [
  undefined,
  [{ by: "resend", windowMs: 30 * minuteMs }, { by: "inquiry" }],
  [{ by: "resend", windowMs: 10 * minuteMs }, { by: "reversal" }, { by: "person" }],
  [{ by: "reversal" }],
  [{ by: "person" }]
]

/** Returns how the bank of a run ends lost answers; drawn: half of the banks answer inquiries about everything. */
export const waysOfRun = (chance: Chance, ways?: ReadonlyArray<Way> | undefined): Ways | undefined =>
  ways === undefined && chance.percent(50)
    ? undefined
    : Object.fromEntries(bankKinds.map((kind) => [kind, ways ?? chance.someOf(waysOfBanks)] as const))

export const make = (publicBaseUrl: string, clock: Clock.Clock, unknownOutcomes: Ways | undefined) => {
  const sends: Array<Send> = []
  const deliveries: Array<Send & { isSent: boolean }> = []
  const notFound = new Set<string>()
  const entries = new Map<string, Set<string>>()
  const orderIndex: OrderIndex = { orderIds: (name) => entries.get(name) ?? [] }

  /** Runs the work on the bank's clock. The clock of the caller may be wrong. */
  const onBankClock = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.provideService(work, Clock.Clock, clock)
  const forward =
    <Q, A, E>(ask: (question: Q) => Effect.Effect<A, E>) =>
    (question: Q) =>
      onBankClock(ask(question))
  const recorded =
    <Q extends Named & { readonly orderId: string; readonly reference: string }, A, E>(
      ask: (question: Q) => Effect.Effect<A, E>
    ) =>
    (question: Q) =>
      Effect.suspend(() => {
        const name = Intents.nameOf({ clientOrderId: question.clientOrderId, login: question.merchantId })
        const orders = entries.get(name) ?? new Set()
        entries.set(name, orders.add(question.orderId))
        sends.push({ reference: question.reference, atMs: clock.currentTimeMillisUnsafe() })
        return onBankClock(ask(question))
      })

  /** Records a request that moves money, and whether it left the gateway's machine. */
  const delivering = <A>({ reference }: Pick<Send, "reference">, work: Effect.Effect<A, AcquirerError>) => {
    const delivery = { reference, atMs: clock.currentTimeMillisUnsafe(), isSent: true }
    deliveries.push(delivery)
    return Effect.tapError(work, ({ reason }) =>
      Effect.sync(() => {
        delivery.isSent = reason._tag !== "NotSent"
      })
    )
  }

  /** Returns the requests that reached the bank once more when it did not know the first one any more. */
  const forgotten = (): ReadonlyArray<string> =>
    [
      ...Map.groupBy(
        deliveries.filter(({ isSent }) => isSent),
        ({ reference }) => reference
      )
    ].flatMap(([reference, [first, ...repeats]]) => {
      const kind = bankKindOf(reference)
      const ways = kind === undefined ? [] : waysOf(unknownOutcomes, kind)
      if (first === undefined || ways.some(({ by }) => by === "inquiry")) return []
      const windowMs = ways.reduce((longestMs, way) => (way.by === "resend" ? way.windowMs : longestMs), 0)
      return repeats
        .filter(({ atMs }) => atMs > first.atMs + windowMs)
        .map(({ atMs }) => `${reference} came again after ${atMs - first.atMs} ms`)
    })

  /** Answers that the request is not found, if inquiries do not find it. */
  const inquired =
    <A, E>(inquire: (reference: AttemptReference) => Effect.Effect<A | NotFound, E>) =>
    (reference: AttemptReference): Effect.Effect<A | NotFound, E> =>
      notFound.has(reference) ? Effect.succeed({ _tag: "NotFound" }) : inquire(reference)

  /** Adds the bank's time to its answer. */
  const dated =
    <Q, A extends object, E>(ask: (question: Q) => Effect.Effect<A, E>) =>
    (question: Q) =>
      Effect.map(ask(question), (answer) => ({ ...answer, bankTimeMs: clock.currentTimeMillisUnsafe() }))

  const acquirer = Layer.effect(
    Acquirer,
    Effect.map(Acquirer, (bank) =>
      Acquirer.of({
        ...bank,
        authorize: dated(recorded((payment: Authorization) => delivering(payment, bank.authorize(payment)))),
        followUp: (kind, request) =>
          dated(recorded((question: FollowUp) => delivering(question, bank.followUp(kind, question))))(request),
        eligible: dated(forward(bank.eligible)),
        inquire: dated(forward((inquiry: Inquiry) => inquired(() => bank.inquire(inquiry))(inquiry.reference))),
        reverse: bank.reverse && dated(forward(bank.reverse))
      })
    )
  )
  const rail = Layer.effect(
    PayoutRail,
    Effect.map(PayoutRail, (port) =>
      PayoutRail.of({
        ...port,
        check: recorded(port.check),
        pay: recorded(port.pay),
        inquire: forward(inquired(port.inquire))
      })
    )
  )
  const threeds = Layer.effect(
    ThreeDSServer,
    Effect.map(ThreeDSServer, (server) =>
      ThreeDSServer.of({
        ...server,
        enrol: forward(server.enrol),
        authenticate: forward(server.authenticate),
        result: forward(server.result)
      })
    )
  )
  const layer = Layer.provideMerge(
    Layer.mergeAll(acquirer, rail, threeds),
    SandboxWorld.bankLayer({ publicBaseUrl: () => publicBaseUrl, unknownOutcomes })
  )

  /** Returns what bank and rail approved for orders of this name. `isReversal`: whether a reference is of a reversal. */
  const approvedBookings = Effect.fnUntraced(function* (name: string, isReversal: (reference: string) => boolean) {
    const [bank, payouts] = [yield* SandboxControl, yield* RailControl]
    const all: Array<Intents.ApprovedBooking> = []
    for (const orderId of orderIndex.orderIds(name)) {
      all.push(...Intents.approved(yield* bank.books.ofOrder(orderId), isReversal))
      all.push(...Intents.approved(yield* payouts.books.ofOrder(orderId)))
    }
    return all
  })
  return { approvedBookings, forgotten, layer, notFound, orderIndex, sends }
}
