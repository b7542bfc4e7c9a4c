/**
 * Plans for later requests, set through the control interface. They are in memory only. A plan stays with the reference that used
 * it, so that a repetition of the same request gets the same plan.
 */
import type { Request } from "./Booking.ts"
import type { Kind, Plan } from "./Outcome.ts"

/** The kinds of requests to the bank that can be planned. */
export type Question = Kind | "inquire"

/** The plans for one simulated bank or payout rail. */
export class Scenarios {
  readonly #next = new Map<Question, Array<Plan>>()
  readonly #byOrder = new Map<string, Plan>()
  readonly #byReference = new Map<string, Plan>()

  next(question: Question, plan: Plan): void {
    const waiting = this.#next.get(question)
    if (waiting === undefined) this.#next.set(question, [plan])
    else waiting.push(plan)
  }

  forOrder(orderId: string, kind: Kind, plan: Plan): void {
    this.#byOrder.set(`${kind} ${orderId}`, plan)
  }

  forReference(reference: string, plan: Plan): void {
    this.#byReference.set(reference, plan)
  }

  /** Returns the most specific plan: that of the reference, that of the order, or the next one of the kind. */
  of({ kind, orderId, reference }: Request): Plan | undefined {
    const own = this.#byReference.get(reference) ?? this.#byOrder.get(`${kind} ${orderId}`)
    if (own !== undefined) return own
    const plan = this.ofNext(kind)
    if (plan !== undefined) this.#byReference.set(reference, plan)
    return plan
  }

  ofNext(question: Question): Plan | undefined {
    return this.#next.get(question)?.shift()
  }

  forgetNext(): void {
    this.#next.clear()
  }

  clear(): void {
    this.forgetNext()
    this.#byOrder.clear()
    this.#byReference.clear()
  }
}
