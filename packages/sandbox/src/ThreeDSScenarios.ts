/** Plans for later authentications, set through the control interface. They are in memory only. */
import { orderIdOf } from "./ThreeDSRecord.ts"
import type { Plan } from "./ThreeDSScenario.ts"

/** The plans for one simulated 3-D Secure world. */
export class ThreeDSScenarios {
  readonly #next: Array<Plan> = []
  readonly #byOrder = new Map<string, Plan>()

  next(plan: Plan): void {
    this.#next.push(plan)
  }

  forOrder(orderId: string, plan: Plan): void {
    this.#byOrder.set(orderId, plan)
  }

  of(lookup: { readonly reference: string }): Plan | undefined {
    return this.#byOrder.get(orderIdOf(lookup)) ?? this.#next.shift()
  }

  clear(): void {
    this.#next.length = 0
    this.#byOrder.clear()
  }
}
