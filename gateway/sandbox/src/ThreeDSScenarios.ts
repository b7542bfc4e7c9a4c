/** Plans for later authentications, set through the control interface. They are in memory only. */
import { orderIdOf } from "./ThreeDSRecord.ts"
import type { PartialScenario } from "./ThreeDSScenario.ts"

/** The scenarios of one simulated 3-D Secure world. */
export class ThreeDSScenarios {
  readonly #next: Array<PartialScenario> = []
  readonly #byOrder = new Map<string, PartialScenario>()

  next(scenario: PartialScenario): void {
    this.#next.push(scenario)
  }

  forOrder(orderId: string, scenario: PartialScenario): void {
    this.#byOrder.set(orderId, scenario)
  }

  of(lookup: { readonly reference: string }): PartialScenario | undefined {
    return this.#byOrder.get(orderIdOf(lookup)) ?? this.#next.shift()
  }

  clear(): void {
    this.#next.length = 0
    this.#byOrder.clear()
  }
}
