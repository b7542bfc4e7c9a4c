/** Maps the outcome of a request to the result or the error of a flow. */
import * as Decline from "@pay/schema/Decline"
import { codes } from "@pay/schema/ErrorCode"
import * as PayApi from "@pay/schema/PayApi"
import type { FieldProblem } from "@pay/schema/Rule"
import type * as PayError from "@pay/transport/PayError"
import { Effect } from "effect"
import * as FieldNames from "../engine/FieldNames.ts"
import type * as Evidence from "../order/Evidence.ts"
import * as FlowError from "../order/FlowError.ts"
import type { OrderStatus } from "../order/OrderStatus.ts"
import * as RequestedAmount from "./RequestedAmount.ts"

/** The fields that all errors of flows contain. */
interface About {
  readonly clientOrderId: string
  readonly trail: Evidence.Trail
}

const evidenceOf = ({ clientOrderId, trail }: About) => ({ clientOrderId, evidence: [...trail] })

/** Returns the error of a request that was refused and had no effect, with the names of fields that flows use. */
export const refused = (error: PayError.Refused | PayError.InvalidRequest, about: About): FlowError.NotAccepted => {
  const operation = PayApi.all.find(({ name }) => name === error.operation)
  const renamed = (problem: FieldProblem): FieldProblem =>
    operation === undefined ? problem : FieldNames.inProblem(operation, problem)
  if (error._tag === "InvalidRequest") {
    const problems = error.problems.map(renamed)
    const reason = problems.map(({ message }) => message).join("; ")
    return new FlowError.NotAccepted({ ...evidenceOf(about), operation: error.operation, reason, problems })
  }
  const reason = error.errorMessage ?? "no reason given"
  return new FlowError.NotAccepted({
    ...evidenceOf(about),
    operation: error.operation,
    status: error.status,
    reason: operation === undefined ? reason : FieldNames.inText(operation, reason),
    problems: error.errors.map(renamed),
    ...(error.errorCode === undefined ? {} : { code: error.errorCode }),
    ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
    ...(error.serialNumber === undefined ? {} : { serialNumber: error.serialNumber })
  })
}

/** Returns the error of a request whose `client_orderid` names another payment. */
export const reused = (operation: string, reason: string, about: About): FlowError.NotAccepted => {
  const { code, message } = codes.contentDiffers
  const problems = [{ field: "clientOrderId", code, message: message.replace("client_orderid", "clientOrderId") }]
  return new FlowError.NotAccepted({ ...evidenceOf(about), operation, code, reason, problems })
}

export const unreachable = (
  {
    code,
    operation,
    received
  }: Pick<PayError.NotSent, "code" | "operation"> & { readonly received?: string | undefined },
  about: About
): FlowError.Unreachable =>
  new FlowError.Unreachable({
    ...{ ...evidenceOf(about), operation, code },
    ...(received === undefined ? {} : { received })
  })

/** Returns the error of a request that had no effect. `missing` is the field without which it could not be sent again. */
export const neverHappened = (operation: string, about: About, missing?: string): FlowError.NeverHappened =>
  new FlowError.NeverHappened({ ...evidenceOf(about), operation, ...(missing === undefined ? {} : { missing }) })

export const stillUnknown = (operation: string, about: About, order?: OrderStatus): FlowError.StillUnknown =>
  new FlowError.StillUnknown({ ...evidenceOf(about), operation, ...(order === undefined ? {} : { order }) })

export const needsAPerson = (
  operation: string,
  reason: string,
  about: About,
  order?: OrderStatus
): FlowError.NeedsAPerson =>
  new FlowError.NeedsAPerson({ ...evidenceOf(about), operation, reason, ...(order === undefined ? {} : { order }) })

/**
 * Returns the order if it reports the money that was requested. Fails with `NeedsAPerson` if it reports another amount or currency,
 * because other money has moved than was requested.
 */
export const asRequested = (
  order: OrderStatus,
  target: RequestedAmount.MoneyRequest,
  about: About
): Effect.Effect<OrderStatus, FlowError.NeedsAPerson> => {
  const difference = RequestedAmount.difference(target, order)
  return difference === undefined
    ? Effect.succeed(order)
    : Effect.fail(needsAPerson(target.operation.name, difference, about, order))
}

const codeOf = ({ errorCode = "" }: OrderStatus): number | undefined =>
  /^\d{1,9}$/.test(errorCode) ? Number(errorCode) : undefined

/** Maps a final status to the result of a flow without a customer's browser. */
export const conclude = (order: OrderStatus, about: About): Effect.Effect<OrderStatus, FlowError.Unpaid> => {
  if (order.status === "approved") return Effect.succeed(order)
  const code = codeOf(order)
  const details = {
    ...evidenceOf(about),
    order,
    reason: order.errorMessage ?? order.status,
    ...(code === undefined ? {} : { code })
  }
  if (order.status === "filtered") return Effect.fail(new FlowError.Filtered(details))
  if (order.status === "error") return Effect.fail(new FlowError.Failed(details))
  const hard = code !== undefined && Decline.byCode(code)?.hard === true
  return Effect.fail(new FlowError.Declined({ ...details, hard }))
}

/** Maps the final status of one request about an order to its result. The status has the amount of that request. */
export const concludeRequest = (
  order: OrderStatus,
  target: RequestedAmount.MoneyRequest,
  about: About
): Effect.Effect<OrderStatus, FlowError.Unpaid | FlowError.NeedsAPerson> =>
  Effect.flatMap(conclude(order, about), (approved) => asRequested(approved, target, about))

const { cancelledByCustomer, notAuthenticated, sessionExpired } = Decline.declines

/**
 * Maps a final status to the result of a flow in which a customer takes part. `away`: the browser was sent to another page and
 * did not come back, or the customer gave up.
 */
export const concludeWithCustomer = (
  order: OrderStatus,
  about: About,
  away: boolean
): Effect.Effect<OrderStatus, FlowError.UnpaidByCustomer> => {
  if (order.status !== "declined") return conclude(order, about)
  const code = codeOf(order)
  const ended = { ...evidenceOf(about), order }
  if (code === sessionExpired.code || code === cancelledByCustomer.code) {
    return Effect.fail(new FlowError.Abandoned(ended))
  }
  if (code === notAuthenticated.code) {
    return Effect.fail(away ? new FlowError.Abandoned(ended) : new FlowError.NotAuthenticated(ended))
  }
  return conclude(order, about)
}
