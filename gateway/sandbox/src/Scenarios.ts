/**
 * Scenarios of later requests, set through the control interface. They are in memory only. A scenario stays with the reference that used
 * it, so that a repetition of the same request gets the same scenario.
 */
import type { Request } from "./Booking.ts"
import type { Kind, Scenario } from "./Outcome.ts"

/** The kinds of requests to the bank that can have a scenario. */
export type Question = Kind | "inquire"

/** The scenarios of one simulated bank or payout rail. */
export class Scenarios {
  readonly #next = new Map<Question, Array<Scenario>>()
  readonly #byOrder = new Map<string, Scenario>()
  readonly #byReference = new Map<string, Scenario>()

  next(question: Question, scenario: Scenario): void {
    const waiting = this.#next.get(question)
    if (waiting === undefined) this.#next.set(question, [scenario])
    else waiting.push(scenario)
  }

  forOrder(orderId: string, kind: Kind, scenario: Scenario): void {
    this.#byOrder.set(`${kind} ${orderId}`, scenario)
  }

  forReference(reference: string, scenario: Scenario): void {
    this.#byReference.set(reference, scenario)
  }

  /** Returns the most specific scenario: that of the reference, that of the order, or the next one of the kind. */
  of({ kind, orderId, reference }: Request): Scenario | undefined {
    const own = this.#byReference.get(reference) ?? this.#byOrder.get(`${kind} ${orderId}`)
    if (own !== undefined) return own
    const scenario = this.ofNext(kind)
    if (scenario !== undefined) this.#byReference.set(reference, scenario)
    return scenario
  }

  ofNext(question: Question): Scenario | undefined {
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
