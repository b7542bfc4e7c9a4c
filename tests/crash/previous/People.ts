/** The actions of merchant, customers, approver and operator on the orders that wait for them. */
import { createPrivateKey } from "node:crypto"
import { assert } from "@effect/vitest"
import * as CustomerBrowser from "@pay/flows/CustomerBrowser"
import { CardRef } from "@pay/gateway/entities/CardRef"
import { HostedSession } from "@pay/gateway/entities/HostedSession"
import { Store } from "@pay/gateway/Store"
import { ThreeDSControl } from "@pay/sandbox/ThreeDSControl"
import * as Sandbox from "@pay/server/Sandbox"
import * as Approval from "@pay/signing/Approval"
import * as Form from "@pay/signing/Form"
import { PayClient } from "@pay/transport/PayClient"
import { Effect } from "effect"
import * as HostedPage from "../../harness/HostedPage.ts"
import * as Http from "../../harness/Http.ts"
import * as OnFiles from "./OnFiles.ts"
import * as Requests from "./Requests.ts"

const { approver, endpoints } = Sandbox.merchant

/** Posts as an approver, or as an operator on the gateway's machine. */
const posted = Effect.fnUntraced(function* (path: string, body: string) {
  const headers = { authorization: `Bearer ${OnFiles.operatorToken}` }
  const answer = yield* HostedPage.inProcess(path, { body, headers })
  assert.strictEqual(answer.status, 200, answer.body)
  return Http.json(answer.body)
})

const approverKey = createPrivateKey(approver.privateKeyPem)

const approve = Effect.fnUntraced(function* (orderId: string) {
  const { name } = approver
  const look = { decision: "look", orderId, approver: name, timestampSeconds: OnFiles.wallSeconds } as const
  const request = {
    decision: "look",
    approver: name,
    time: String(OnFiles.wallSeconds),
    signature: Approval.sign(look, approverKey)
  }
  const { amount, recipient } = yield* posted(`/approvals/${orderId}`, Form.write(Object.entries(request)))
  const fields = { decision: "approve", amount: String(amount), recipient: String(recipient), approver: name } as const
  const signature = Approval.sign({ ...fields, orderId }, approverKey)
  yield* posted(`/approvals/${orderId}`, Form.write(Object.entries({ ...fields, signature })))
})

/** Returns the result that the browser of a customer brings who has passed the challenge. */
const passed = Effect.fnUntraced(function* (orderid: string) {
  const challenge = yield* (yield* ThreeDSControl).play(orderid, "pass")
  assert(challenge._tag === "CRes")
  return challenge.cres
})

const authenticated = Effect.fnUntraced(function* (orderid: string) {
  const fields = { "client-order-id": "3ds-challenge", orderid, cRes: yield* passed(orderid) }
  yield* Requests.send("TDS_UPLOAD_CRES_RESULT", fields, { endpointId: endpoints.threedsMerchant })
})

const paidOnPage = Effect.fnUntraced(function* (orderId: string) {
  const session = yield* (yield* Store).load(HostedSession, [orderId], "order")
  yield* HostedPage.inProcess(`/pay/${session?.token}`, { form: HostedPage.goodCard })
})

/** Finds the stored card again by its hash, and charges it. */
const chargedAgain = Effect.fnUntraced(function* (orderid: string) {
  const client = yield* PayClient
  const { "card-ref-id": cardrefid } = yield* OnFiles.byWallTime(
    client.cardref({ client_orderid: "card-stored", orderid })
  )
  const stored = yield* (yield* Store).find(CardRef, "key", { limit: 10 })
  assert.deepStrictEqual(
    stored.map(({ cardRefId }) => cardRefId),
    [cardrefid]
  )
  yield* Requests.send("REBILL", {
    ...{ client_orderid: "rebill", cardrefid, amount: "10.42", currency: "USD" },
    ...{ order_desc: "Monthly fee", ipaddress: "203.0.113.9" }
  })
})

const closeTask = (orderId: string) =>
  posted(`/operator/tasks/${orderId}-hold.declined/close`, JSON.stringify({ note: "The bank has let it expire" }))

/** Each person acts once. `idOf` returns the gateway.s identifier of an order. */
export const actOnce = Effect.fnUntraced(function* (idOf: (name: Requests.Name) => string) {
  const named = (client_orderid: Requests.Name) => ({ client_orderid, orderid: idOf(client_orderid) })
  yield* closeTask(idOf("task"))
  yield* authenticated(idOf("3ds-challenge"))
  yield* paidOnPage(idOf("page-open"))
  yield* approve(idOf("payout-waiting"))
  yield* Requests.send("PAYOUT_V4_PAY", named("payout-checked"))
  yield* Requests.send("CAPTURE", named("preauth-held"))
  yield* chargedAgain(idOf("card-stored"))
  yield* CustomerBrowser.cameBack("flow-sale", { cres: yield* passed(idOf("flow-sale")) })
})
