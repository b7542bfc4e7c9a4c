/** What a bank's answer to a request of a card order is judged on. */
import type * as AmountAttempts from "./AmountAttempts.ts"
import type * as Asking from "./Asking.ts"
import type { Billed } from "./BillingPlan.ts"
import type { BankTask } from "./entities/BankTask.ts"
import type * as FormAttempt from "./FormAttempt.ts"

export interface Held extends Asking.Held {
  /** Where the customer pays on a hosted page. */
  readonly form?: FormAttempt.Form | undefined
  /** Where the merchant sent a list of amounts. */
  readonly round?: AmountAttempts.Round | undefined
  /** Where it is the charge of a recurring payment's present occurrence, or the order of its creation. */
  readonly billed?: Billed | undefined
  /** Of a follow-up: the task of the order's hold, where the bank has refused to release it. */
  readonly hold?: BankTask | undefined
}

export interface Terms extends Asking.Terms {
  /** An uncaptured hold lapses after so long. */
  readonly holdMs: number
}
