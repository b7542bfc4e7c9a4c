/**
 * `POST /approvals/{orderid}`: where second approvers look at a payout that waits, approve or reject it. A form with
 * `decision` (`look`, `approve`, `reject`), `approver`, `signature`, and for a look `time`, else `amount` and `recipient`, as
 * `@pay/signing/Approval` writes them; the answer is JSON. `POST /approvals`, with `decision=list`, `merchant`, `approver`,
 * `time` and `signature`, tells what waits. The signature is all that counts, whoever brings it.
 */
import type * as Statement from "@pay/signing/Approval"
import { DateTime, Effect, Layer } from "effect"
import { AuthClock } from "../kernel/AuthClock.ts"
import * as KeysetPage from "../kernel/KeysetPage.ts"
import { Settings } from "../kernel/Settings.ts"
import * as CustomerAddress from "../network/CustomerAddress.ts"
import * as RateLimit from "../network/RateLimit.ts"
import * as DecideApproval from "../payouts/DecideApproval.ts"
import type * as WaitingPayouts from "../payouts/WaitingPayouts.ts"
import { limitOf } from "./operator/Route.ts"
import { FurtherPages, type PageAnswer, type PageHandler, type PageRequest } from "./Pages.ts"
import * as Visitor from "./pages/Visitor.ts"

const path = /^\/approvals\/(\d{1,20})$/

const json = (status: number, body: object): PageAnswer => ({
  status,
  headers: { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" },
  body: `${JSON.stringify(body)}\n`
})

const time = (ms: number): string => DateTime.formatIso(DateTime.makeUnsafe(ms))

/** What an approver has to know, and nothing of the recipient that may not be shown. */
const told = ({ approval, merchant, order, payout }: WaitingPayouts.WaitingPayout) => ({
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
  asked: time(approval.askedAtMs),
  expires: time(approval.expiresAtMs)
})

/** A page of them, and where the next one begins. */
export const toldAll = ({ next, payouts }: WaitingPayouts.Page) => ({
  payouts: payouts.map(told),
  ...(next && { next: KeysetPage.written(next) })
})

const statuses = { Unknown: 401, Skewed: 401, Differs: 409, Decided: 409, Busy: 503 } as const

type Asked = { readonly signature: string; readonly statement: Statement.Statement | Statement.Look }

const read = (request: PageRequest, orderId: string): Asked | undefined => {
  const field = Visitor.fields(request)
  const decision = field("decision")
  const approver = field("approver")
  const signature = field("signature")
  if (decision === "approve" || decision === "reject") {
    return {
      signature,
      statement: { decision, orderId, amount: field("amount"), recipient: field("recipient"), approver }
    }
  }
  const timestampSeconds = Number(field("time"))
  return decision === "look" && Number.isSafeInteger(timestampSeconds)
    ? { signature, statement: { decision, orderId, approver, timestampSeconds } }
    : undefined
}

/** Undefined: not a question for a list. */
const readList = (request: PageRequest) => {
  const field = Visitor.fields(request)
  const timestampSeconds = Number(field("time"))
  const limit = limitOf(field("limit") || null)
  const after = KeysetPage.read(field("after"))
  if (field("decision") !== "list" || !Number.isSafeInteger(timestampSeconds) || limit === undefined) return undefined
  if (field("after") !== "" && after === undefined) return undefined
  const statement: Statement.List = {
    decision: "list",
    merchant: field("merchant"),
    approver: field("approver"),
    timestampSeconds
  }
  return { statement, signature: field("signature"), page: { limit, after } }
}

const listHelp =
  "send a form with decision=list, merchant, approver, time and signature; limit is 1 to 1000, after is the next of a page"

const help =
  "send a form with decision (look, approve or reject), approver, signature, and time for a look, else amount and recipient"

export const make = Effect.gen(function* () {
  const { decide, list, look } = yield* DecideApproval.make
  const settings = yield* Settings
  const wallClock = yield* AuthClock
  const perAddress = RateLimit.make(settings.addressRate)

  const handler: PageHandler = (request) =>
    Effect.gen(function* () {
      const orderId = path.exec(request.path)?.[1]
      if (orderId === undefined && request.path !== "/approvals") return undefined
      if (perAddress.take(CustomerAddress.network(request.remoteAddress), wallClock.nowMs()) !== undefined)
        return json(429, { error: "too many requests; wait a minute" })
      if (orderId === undefined) {
        const question = request.method === "POST" ? readList(request) : undefined
        if (question === undefined) return json(400, { error: listHelp })
        return json(200, toldAll(yield* list(question.statement, question.signature, question.page)))
      }
      const asked = request.method === "POST" ? read(request, orderId) : undefined
      if (asked === undefined) return json(400, { error: help })
      const { signature, statement } = asked
      const seen = statement.decision === "look" ? look(statement, signature) : decide(statement, signature)
      return json(200, told(yield* seen))
    }).pipe(
      Effect.catchTag("ApprovalRefused", ({ message, reason }) =>
        Effect.succeed(json(statuses[reason], { error: message }))
      ),
      Effect.catch((error) =>
        Effect.as(Effect.logError("An approval cannot be served", error), json(503, { error: "try again later" }))
      )
    )
  return handler
})

/** Before whatever further pages the context has. */
export const layer = Layer.effect(
  FurtherPages,
  Effect.gen(function* () {
    const others = yield* FurtherPages
    return [yield* make, ...others]
  })
)
