/**
 * `POST /approvals/{orderid}` and `POST /approvals`: second approvers view waiting payouts, and approve or reject them. The
 * contract is `operators/contract/Approvals.ts`; `@pay/signing/Approval` defines the signed content. Only the signature
 * authenticates a request; any client may send it.
 */
import { Effect } from "effect"
import { AuthClock } from "../kernel/AuthClock.ts"
import * as ProcessLease from "../kernel/ProcessLease.ts"
import { Settings } from "../kernel/Settings.ts"
import * as CustomerAddress from "../network/CustomerAddress.ts"
import { decideApproval, listApprovals } from "../operators/contract/Approvals.ts"
import type { Input } from "../operators/OperatorOperation.ts"
import * as DecideApproval from "../payouts/DecideApproval.ts"
import type * as WaitingPayouts from "../payouts/WaitingPayouts.ts"
import * as OperatorHandler from "./operator/OperatorHandler.ts"
import type { PageHandler } from "./Pages.ts"
import * as Pages from "./Pages.ts"

const rowOf = ({ approval, merchant, order, payout }: WaitingPayouts.WaitingPayout) => ({
  order: order.orderId,
  merchant: merchant.login,
  merchantOrder: order.clientOrderId,
  amount: DecideApproval.amountOf(order),
  recipient: payout.recipient,
  recipientKind: payout.destinationKind,
  recipientShown: payout.masked,
  description: order.description,
  purpose: payout.purpose,
  state: approval.state,
  approver: approval.approver,
  requestedAt: approval.requestedAtMs,
  expires: approval.expiresAtMs
})

/** Returns a page of waiting payouts, and the start of the next page. */
export const pageOf = ({ next, payouts }: WaitingPayouts.WaitingPage) => ({ payouts: payouts.map(rowOf), next })

const statuses = { Unknown: 401, Skewed: 401, Differs: 409, Decided: 409, Busy: 503 } as const

const refused = ({ message, reason }: DecideApproval.ApprovalRefused) =>
  Effect.fail(new OperatorHandler.OperatorRefusal({ status: statuses[reason], message }))

const unavailable = (error: unknown) =>
  Effect.as(
    Effect.logError("An approval cannot be served", error),
    OperatorHandler.json(503, { error: "try again later" })
  )

/** Makes the handlers. The signature of each request proves the approver, wherever it arrives. */
const makeHandlers = Effect.map(DecideApproval.make, (use) => {
  const list = ({ after, approver, decision, limit, merchant, signature, time }: Input<typeof listApprovals>) =>
    use
      .list({ decision, merchant, approver, timestampSeconds: time }, signature, { limit, after })
      .pipe(Effect.map(pageOf), Effect.catchTag("ApprovalRefused", refused))

  const decide = ({
    amount = "",
    approver,
    decision,
    order: orderId,
    recipient = "",
    signature,
    time = 0
  }: Input<typeof decideApproval>) =>
    (decision === "look"
      ? use.look({ decision, orderId, approver, timestampSeconds: time }, signature)
      : use.decide({ decision, orderId, amount, recipient, approver }, signature)
    ).pipe(Effect.map(rowOf), Effect.catchTag("ApprovalRefused", refused))

  return { list, decide }
})

/** Makes the handler of decisions alone, for who has signed in as an operator besides. */
export const makeDecision = Effect.map(
  makeHandlers,
  ({ decide }): OperatorHandler.Handler<typeof decideApproval> => decide
)

export const make = Effect.gen(function* () {
  const { decide, list } = yield* makeHandlers
  const settings = yield* Settings
  const wallClock = yield* AuthClock
  const perAddress = yield* ProcessLease.sharedLimit(settings.addressRate)
  const routes = [OperatorHandler.route(listApprovals, list), OperatorHandler.route(decideApproval, decide)]

  const handler: PageHandler = (request) =>
    Effect.gen(function* () {
      const { method, path } = request
      const matched = routes.flatMap(({ match, run }) => {
        const parameters = match({ method: "POST", path })
        return parameters === undefined ? [] : [{ parameters, run }]
      })[0]
      if (matched === undefined) return undefined
      if (perAddress.take(CustomerAddress.network(request.remoteAddress), wallClock.nowMs()) !== undefined)
        return OperatorHandler.json(429, { error: "too many requests; wait a minute" })
      if (method !== "POST") return OperatorHandler.json(400, { error: "send a form with POST" })
      const query = new URLSearchParams()
      return yield* matched.run({ path: matched.parameters, query, body: request.body, actor: "gateway", roles: [] })
    }).pipe(Effect.catch(unavailable))
  return handler
})

/** Adds the page before the further pages of the context. */
export const layer = Pages.layer(make)
