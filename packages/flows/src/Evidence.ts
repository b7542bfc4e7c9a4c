/** What was asked and what was answered, in the order it happened: what a person needs who has to settle a payment. */
import type * as PayError from "@pay/transport/PayError"
import { Schema } from "effect"
import type { OrderStatus } from "./OrderStatus.ts"

/** One request. Card data and keys are in none of its fields. */
export const Evidence = Schema.Struct({
  /** Milliseconds since 1970, by the merchant's clock. */
  askedAtMs: Schema.Finite,
  /** The operation's name: `CAPTURE`. */
  operation: Schema.String,
  /** What came of it: `Answered` with a status, or the error's tag and what it says. */
  answer: Schema.String,
  orderId: Schema.optionalKey(Schema.String),
  serialNumber: Schema.optionalKey(Schema.String),
  idempotencyKey: Schema.optionalKey(Schema.String)
})
export type Evidence = typeof Evidence.Type

/** Collects while a flow runs. */
export type Trail = Array<Evidence>

/** So many at most; of what happened in between, the beginning and the end tell enough. */
const most = 40

/** Notes one request. Of answers that say the same one after another, only the latest stays. */
export const note = (trail: Trail, evidence: Evidence): void => {
  const last = trail.at(-1)
  if (last?.operation === "STATUS" && evidence.operation === "STATUS" && last.answer === evidence.answer) trail.pop()
  trail.push(evidence)
  if (trail.length > most) trail.splice(most / 2, 1)
}

const keep = <K extends string>(key: K, value: string | undefined): { readonly [Key in K]?: string } => {
  const entry: { [Key in K]?: string } = {}
  if (value !== undefined) entry[key] = value
  return entry
}

/** Evidence of a question that was answered. */
export const ofOrder = (order: OrderStatus, askedAtMs: number, serialNumber?: string): Evidence => ({
  askedAtMs,
  operation: "STATUS",
  answer: `Answered: ${order.status} ${order.transactionType ?? ""}`.trim(),
  orderId: order.orderId,
  ...keep("serialNumber", serialNumber)
})

/** Evidence of a call that failed. */
export const ofError = (error: PayError.PayError, askedAtMs: number): Evidence => ({
  askedAtMs,
  operation: error.operation,
  answer: error._tag === "InvalidRequest" ? `${error._tag}: ${fieldsOf(error)}` : `${error._tag}: ${error.message}`,
  ...(error._tag === "OutcomeUnknown"
    ? {
        ...keep("orderId", error.orderId),
        ...keep("serialNumber", error.serialNumber),
        ...keep("idempotencyKey", error.idempotencyKey)
      }
    : error._tag === "Refused"
      ? keep("serialNumber", error.serialNumber)
      : {})
})

const fieldsOf = ({ problems }: PayError.InvalidRequest): string => problems.map(({ message }) => message).join("; ")
