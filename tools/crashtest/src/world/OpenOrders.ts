/** The orders that are open, and the order that a request, a callback or a booking belongs to. */
import type { Order } from "../plan/Payment.ts"
import { Watched } from "./Watched.ts"
import type { Together } from "./World.ts"

/** What tells to which order something belongs. */
export interface Facts {
  readonly clientOrderId?: string | undefined
  /** The gateway's numbers of the order and of its recurring payment. */
  readonly numbers?: ReadonlyArray<string>
  readonly amountMinor?: number | undefined
  readonly currency?: string | undefined
}

/** The name that the gateway gives to a later charge of a recurring payment. */
const laterCharge = /^(?<recurring>\d+):\d+$/

/** Returns the number of the recurring payment of which a name says that it is a later charge. */
export const recurringOf = (clientOrderId: string): string | undefined =>
  laterCharge.exec(clientOrderId)?.groups?.recurring

const priceOf = ({ amountMinor, currency }: Facts): string => `${currency} ${amountMinor}`

export class OpenOrders {
  readonly #byName = new Map<string, Watched>()
  readonly #byPrice = new Map<string, Watched>()
  readonly #byClientOrderId = new Map<string, Watched>()
  readonly #byNumber = new Map<string, Watched>()
  readonly #nowMs: () => number

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  open(order: Order, together: Together): Watched {
    this.close(order)
    const watched = new Watched(order, together, this.#nowMs)
    this.#byName.set(order.name, watched)
    this.#byPrice.set(priceOf(order), watched)
    return watched
  }

  find({ name }: Order): Watched | undefined {
    return this.#byName.get(name)
  }

  all(): ReadonlyArray<Watched> {
    return [...this.#byName.values()]
  }

  close(order: Order): void {
    const watched = this.find(order)
    if (watched === undefined) return
    const forget = (places: Map<string, Watched>, names: Iterable<string>) => {
      for (const name of names) if (places.get(name) === watched) places.delete(name)
    }
    forget(this.#byName, [order.name])
    forget(this.#byPrice, [priceOf(watched.order)])
    forget(this.#byClientOrderId, watched.clientOrderIds)
    forget(this.#byNumber, watched.numbers)
  }

  /** Remembers the names that an order has at the gateway. */
  learn(watched: Watched, { clientOrderId, numbers = [] }: Facts): void {
    if (this.find(watched.order) !== watched) return
    if (watched.learn(watched.clientOrderIds, clientOrderId)) this.#byClientOrderId.set(clientOrderId, watched)
    for (const number of numbers) if (watched.learn(watched.numbers, number)) this.#byNumber.set(number, watched)
  }

  /** Returns the order of a new order at the gateway: a shop may reuse a `client_orderid`, but no other order has the amount. */
  ofCreation(facts: Facts): Watched | undefined {
    return this.#byPrice.get(priceOf(facts)) ?? this.#named(facts)
  }

  /**
   * Returns the order that names tell, or else its amount: the amount of a refund can be that of another order. A later charge of
   * a recurring payment belongs to the order that began it, and to no other of the same amount.
   */
  of(facts: Facts): Watched | undefined {
    const named = this.#named(facts)
    if (named !== undefined) return named
    const begun = recurringOf(facts.clientOrderId ?? "")
    return begun === undefined ? this.#byPrice.get(priceOf(facts)) : this.#byNumber.get(begun)
  }

  #named({ clientOrderId = "", numbers = [] }: Facts): Watched | undefined {
    const named = this.#byClientOrderId.get(clientOrderId)
    if (named !== undefined) return named
    for (const number of numbers) {
      const watched = this.#byNumber.get(number)
      if (watched !== undefined) return watched
    }
    return undefined
  }
}
