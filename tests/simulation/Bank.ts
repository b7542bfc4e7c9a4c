/**
 * Bank, payout rail and 3-D Secure world of the simulated world, on a clock of their own. Remembers which orders they were asked
 * about under which name of the merchant's, so that a check reads only what it is about.
 */
import { Acquirer, type Named } from "@pay/gateway/Acquirer"
import { PayoutRail } from "@pay/gateway/PayoutRail"
import { ThreeDSServer } from "@pay/gateway/ThreeDSServer"
import { RailControl } from "@pay/sandbox/RailControl"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import * as SandboxWorld from "@pay/sandbox/SandboxWorld"
import { Clock, Effect, Layer } from "effect"
import * as Intents from "./Intents.ts"

export interface BankRecord {
  /** The gateway's orders of this name in the world: more than one is a payment that was made twice. */
  readonly orderIds: (name: string) => Iterable<string>
}

export const make = (publicBaseUrl: string, clock: Clock.Clock) => {
  const entries = new Map<string, Set<string>>()
  const observed: BankRecord = { orderIds: (name) => entries.get(name) ?? [] }

  /** Runs the work on the bank's clock. The caller has a clock of its own, which may be wrong. */
  const there = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.provideService(work, Clock.Clock, clock)
  const askFor =
    <Q, A, E>(ask: (question: Q) => Effect.Effect<A, E>) =>
    (question: Q) =>
      there(ask(question))
  const noted =
    <Q extends Named & { readonly orderId: string }, A, E>(ask: (question: Q) => Effect.Effect<A, E>) =>
    (question: Q) => {
      const name = Intents.nameOf({ clientOrderId: question.clientOrderId, login: question.merchantId })
      const orders = entries.get(name) ?? new Set()
      entries.set(name, orders.add(question.orderId))
      return there(ask(question))
    }

  const acquirer = Layer.effect(
    Acquirer,
    Effect.map(Acquirer, (bank) =>
      Acquirer.of({
        ...bank,
        authorize: noted(bank.authorize),
        capture: noted(bank.capture),
        cancel: noted(bank.cancel),
        refund: noted(bank.refund),
        eligible: askFor(bank.eligible),
        inquire: askFor(bank.inquire)
      })
    )
  )
  const rail = Layer.effect(
    PayoutRail,
    Effect.map(PayoutRail, (port) =>
      PayoutRail.of({
        ...port,
        check: noted(port.check),
        pay: noted(port.pay),
        inquire: askFor(port.inquire)
      })
    )
  )
  const threeds = Layer.effect(
    ThreeDSServer,
    Effect.map(ThreeDSServer, (server) =>
      ThreeDSServer.of({
        ...server,
        enrol: askFor(server.enrol),
        authenticate: askFor(server.authenticate),
        result: askFor(server.result)
      })
    )
  )
  const layer = Layer.provideMerge(
    Layer.mergeAll(acquirer, rail, threeds),
    SandboxWorld.bankLayer({ publicBaseUrl: () => publicBaseUrl })
  )

  /** What bank and rail approved for orders of this name. `isReversal`: by which the gateway had money given back. */
  const booked = Effect.fnUntraced(function* (name: string, isReversal: (reference: string) => boolean) {
    const [bank, payouts] = [yield* SandboxControl, yield* RailControl]
    const all: Array<Intents.ApprovedBooking> = []
    for (const orderId of observed.orderIds(name)) {
      all.push(...Intents.approved(yield* bank.books.ofOrder(orderId), isReversal))
      all.push(...Intents.approved(yield* payouts.books.ofOrder(orderId)))
    }
    return all
  })
  return { booked, layer, observed }
}
