/** Which orders bank and rail were asked about under which name of the merchant's, so that a check reads only what it is about. */
import { Acquirer, type Named } from "@pay/gateway/Acquirer"
import { PayoutRail } from "@pay/gateway/PayoutRail"
import { Effect, Layer } from "effect"

export interface Seen {
  /** The gateway's orders under this `client_orderid`: more than one is a payment that was made twice. */
  readonly orderIds: (clientOrderId: string) => Iterable<string>
  readonly layer: Layer.Layer<Acquirer | PayoutRail, never, Acquirer | PayoutRail>
}

export const make = (): Seen => {
  const known = new Map<string, Set<string>>()
  const note = <Q extends Named & { readonly orderId: string }, A, E>(ask: (question: Q) => Effect.Effect<A, E>) => {
    return (question: Q) => {
      const orders = known.get(question.clientOrderId) ?? new Set()
      known.set(question.clientOrderId, orders.add(question.orderId))
      return ask(question)
    }
  }
  const acquirer = Layer.effect(
    Acquirer,
    Effect.map(Acquirer, (bank) => ({
      ...bank,
      authorize: note(bank.authorize),
      capture: note(bank.capture),
      cancel: note(bank.cancel),
      refund: note(bank.refund)
    }))
  )
  const rail = Layer.effect(
    PayoutRail,
    Effect.map(PayoutRail, (port) => ({ ...port, check: note(port.check), pay: note(port.pay) }))
  )
  return { orderIds: (clientOrderId) => known.get(clientOrderId) ?? [], layer: Layer.merge(acquirer, rail) }
}
