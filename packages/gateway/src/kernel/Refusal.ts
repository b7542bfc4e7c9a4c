/** Why the gateway will not do what was asked: one entry of the contract's error table, with what the merchant should know. */
import type * as ErrorCode from "@pay/schema/ErrorCode"

export interface Refusal {
  readonly _tag: "Refusal"
  readonly error: ErrorCode.Name
  /** The request field to change, where one is to blame. */
  readonly field: string | undefined
  readonly message: string
}

export const make = (error: ErrorCode.Name, message: string, field?: string): Refusal => ({
  _tag: "Refusal",
  error,
  field,
  message
})

export const is = (value: object): value is Refusal => "_tag" in value && value._tag === "Refusal"
