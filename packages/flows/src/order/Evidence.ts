/**
 * The requests of a flow and their answers, in their order. A person needs them to resolve a payment with an unknown outcome. Errors
 * of flows contain them, and your own flows add to them.
 */
import type * as PayError from "@pay/transport/PayError"
import { Schema } from "effect"
import type { OrderStatus } from "./OrderStatus.ts"

/** One request and its answer. No field contains card data or keys. */
export const Evidence = Schema.Struct({
  /** The time of the request in milliseconds since 1970, by the merchant's clock. */
  requestedAtMs: Schema.Finite,
  /** The name of the operation, such as `CAPTURE`. */
  operation: Schema.String,
  /** The answer: `Answered`, for a status request with the status, or the tag and the message of the error. */
  answer: Schema.String,
  orderId: Schema.optionalKey(Schema.String),
  serialNumber: Schema.optionalKey(Schema.String),
  idempotencyKey: Schema.optionalKey(Schema.String)
})
export type Evidence = typeof Evidence.Type

/** The evidence that a running flow has collected so far. */
export type Trail = Array<Evidence>

/** Longest trail. Beyond it entries in the middle are dropped, and the first 20 and the latest 20 are kept. */
const most = 40

/** Adds one request. Of consecutive status requests with the same answer, only the latest is kept. */
export const note = (trail: Trail, evidence: Evidence): void => {
  const last = trail.at(-1)
  if (last?.operation === "STATUS" && evidence.operation === "STATUS" && last.answer === evidence.answer) trail.pop()
  trail.push(evidence)
  if (trail.length > most) trail.splice(most / 2, 1)
}

const optional = <K extends string>(key: K, value: string | undefined): { readonly [Key in K]?: string } => {
  const entry: { [Key in K]?: string } = {}
  if (value !== undefined) entry[key] = value
  return entry
}

const isGiven = (word: string | undefined): boolean => word !== undefined && word !== ""

/** Returns the evidence of an answered status request, with the amount and currency that the gateway reports. */
export const ofOrder = (order: OrderStatus, requestedAtMs: number, serialNumber?: string): Evidence => ({
  requestedAtMs,
  operation: "STATUS",
  answer: `Answered: ${[order.status, order.transactionType, order.amount, order.currency].filter(isGiven).join(" ")}`,
  orderId: order.orderId,
  ...optional("serialNumber", serialNumber)
})

/** Returns the evidence of a call that failed. */
export const ofError = (error: PayError.PayError, requestedAtMs: number): Evidence => {
  const { idempotencyKey, operation, orderId, serialNumber }: Omit<Evidence, "answer" | "requestedAtMs"> = error
  return {
    requestedAtMs,
    operation,
    answer: error._tag === "InvalidRequest" ? `${error._tag}: ${fieldsOf(error)}` : `${error._tag}: ${error.message}`,
    ...optional("orderId", orderId),
    ...optional("serialNumber", serialNumber),
    ...optional("idempotencyKey", idempotencyKey)
  }
}

const fieldsOf = ({ problems }: PayError.InvalidRequest): string => problems.map(({ message }) => message).join("; ")
