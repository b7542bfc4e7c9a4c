/**
 * Scenarios of later requests, set through the control interface. They are in memory only. A scenario stays with the reference that used
 * it, so that a repetition of the same request gets the same scenario.
 */
import type { Request } from "./Booking.ts"
import type { Kind, Scenario } from "./Outcome.ts"

/** The kinds of requests to the bank that can have a scenario. */
export type Question = Kind | "inquire"

/** Chooses the scenario of a new request. `undefined`: that of its card. */
export type Rule = (request: Request) => Scenario | undefined

/** The scenarios of one simulated bank or payout rail. */
export class Scenarios {
  #rule: Rule = () => undefined
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

  choose(rule: Rule): void {
    this.#rule = rule
  }

  /** Returns the most specific scenario: that of the reference, that of the order, the next one of the kind, or the rule's. */
  of(request: Request): Scenario | undefined {
    const { kind, orderId, reference } = request
    const own = this.#byReference.get(reference) ?? this.#byOrder.get(`${kind} ${orderId}`)
    if (own !== undefined) return own
    const scenario = this.ofNext(kind) ?? this.#rule(request)
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
    this.#rule = () => undefined
    this.#byOrder.clear()
    this.#byReference.clear()
  }
}
