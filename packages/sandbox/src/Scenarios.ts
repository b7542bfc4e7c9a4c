/**
 * What the next requests are to meet, as told through the control interface. In memory only; a plan that a reference has
 * met stays with it, so that the same request sent again meets the same plan.
 */
import type { Request } from "./Booking.ts"
import type { Kind, Plan } from "./Outcome.ts"

/** Everything that can be asked of the bank. */
export type Question = Kind | "inquire"

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

  /** The most particular plan: for the reference, for the order, for the next of its kind. */
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
