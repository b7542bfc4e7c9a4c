/** The flows of the command line: each flow, and the operation that defines its fields. */

import * as CardPayment from "@pay/flows/CardPayment"
import { completeAuthentication } from "@pay/flows/CompleteAuthentication"
import * as Creation from "@pay/flows/Creation"
import type { CustomerBrowser } from "@pay/flows/CustomerBrowser"
import type * as Evidence from "@pay/flows/Evidence"
import * as FieldNames from "@pay/flows/FieldNames"
import * as Flow from "@pay/flows/Flow"
import type { FlowEngine } from "@pay/flows/FlowEngine"
import * as FlowError from "@pay/flows/FlowError"
import * as FlowSettings from "@pay/flows/FlowSettings"
import { HostedSale } from "@pay/flows/HostedCheckout"
import type { OrderStatus } from "@pay/flows/OrderStatus"
import { PayOut } from "@pay/flows/PayOut"
import * as Steps from "@pay/flows/Steps"
import { Subscribe } from "@pay/flows/Subscription"
import * as Operation from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import { PayClient } from "@pay/transport/PayClient"
import type { FieldProblem } from "@pay/transport/PayError"
import { Effect, Result } from "effect"
import type { Name } from "./FlowCommands.ts"
import type { FlowRecord } from "./FlowRecord.ts"

export type Running = Effect.Effect<
  OrderStatus,
  FlowError.FlowError | FlowError.ExecuteError,
  FlowEngine | PayClient | CustomerBrowser
>

export interface Kind {
  readonly operation: Operation.Operation
  /** Returns the flow with these fields, or the problems of the fields. Sends nothing. */
  readonly prepare: (texts: Readonly<Record<string, string>>) => Result.Result<Running, ReadonlyArray<FieldProblem>>
}

const kind = <O extends Operation.Operation>(
  operation: O,
  start: (payload: FieldNames.Renamed<Operation.Request<O>>) => Running
): Kind => ({
  operation,
  prepare: (texts) => Result.map(Operation.decode(operation)(texts), (request) => start(FieldNames.renamed(request)))
})

const { CREATE_RP_V4, PAYOUT_V4, PREAUTH, SALE, SALEFORM } = PayApi.operations

const kinds = {
  sale: kind(SALE, (payload) => CardPayment.CardSale.execute(payload)),
  authorize: kind(PREAUTH, (payload) => CardPayment.Authorization.execute(payload)),
  payout: kind(PAYOUT_V4, (payload) => PayOut.execute(payload)),
  subscribe: kind(CREATE_RP_V4, (payload) =>
    Effect.map(Subscribe.execute(payload), ({ order, recurringPaymentId }) => ({ ...order, recurringPaymentId }))
  ),
  hosted: kind(SALEFORM, (payload) => HostedSale.execute(payload))
} satisfies Readonly<Record<Name, Kind>>

export const find = (name: Name): Kind => kinds[name]

/** A flow that was started before, with the fields that are still known. */
interface Earlier {
  readonly operation: Operation.Operation
  readonly clientOrderId: string
  readonly request: Readonly<Record<string, string>>
}

/** Returns the order with this `client_orderid`, or `undefined` if the gateway definitely has none. */
const search = (earlier: Earlier, trail: Evidence.Trail) =>
  Creation.search({ ...earlier, endpointId: undefined, trail }, "search")

const goOn = Effect.fnUntraced(function* (earlier: Earlier) {
  const { clientOrderId, operation } = earlier
  const trail: Evidence.Trail = []
  const result = yield* search(earlier, trail)
  if (result?.orderId === undefined) {
    return yield* new FlowError.NeverHappened({ clientOrderId, evidence: trail, operation: operation.name })
  }
  return yield* completeAuthentication({ target: earlier, named: { clientOrderId, orderId: result.orderId }, trail })
})

/** Resumes a flow without its card or recipient. Fails with `NeverHappened` if the gateway has no such order. */
const resume = (earlier: Earlier): Running =>
  Effect.flatMap(Steps.Steps, (steps) =>
    Effect.provideService(
      goOn(earlier),
      Steps.Steps,
      Steps.within(steps, "GoOn", { merchant: "", key: earlier.clientOrderId })
    )
  )

/**
 * Resumes a flow whose fields are all given again. The gateway's order is looked up first, because the card that is given again
 * may differ from the card of that order. If the gateway has no order, the request is sent: immediately if the gateway accepts
 * the same content only once, otherwise after a second look-up with the quiet period.
 */
const resumeOrSend = (earlier: Earlier, send: Running): Running =>
  Effect.gen(function* () {
    const look = search(earlier, [])
    const observed = yield* FlowSettings.changed({ quietPeriod: 0 })(look)
    const { profile } = yield* (yield* PayClient).assumedProfile
    const hasIt = observed ?? (profile.replaysClientOrderId ? undefined : yield* look)
    return yield* hasIt === undefined ? send : resume(earlier)
  })

/** Returns the flow with these fields. A flow that was started before continues with the gateway's order. */
export const prepare = (
  kind: Kind,
  texts: Readonly<Record<string, string>>,
  record: FlowRecord | undefined
): ReturnType<Kind["prepare"]> => {
  if (record === undefined) return kind.prepare(texts)
  if (record.withheld.length === 0) return Result.map(kind.prepare(texts), Effect.provideService(Flow.IsResumed, true))
  const earlier = { operation: kind.operation, clientOrderId: record.clientOrderId, request: texts }
  const isMissing = record.withheld.some((name) => texts[name] === undefined)
  return isMissing
    ? Result.succeed(resume(earlier))
    : Result.map(kind.prepare(texts), (send) => resumeOrSend(earlier, send))
}
