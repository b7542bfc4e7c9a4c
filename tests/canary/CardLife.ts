/** The marked card on hosted pages, through 3-D Secure in both modes, stored, charged again, checked and filtered. */
import { assert } from "@effect/vitest"
import { approve } from "@pay/sandbox/Outcome"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { ThreeDSControl } from "@pay/sandbox/ThreeDSControl"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect } from "effect"
import { request } from "undici"
import * as HostedPage from "../harness/HostedPage.ts"
import * as OAuth from "../harness/OAuth.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as Marks from "./Marks.ts"
import * as Witness from "./Witness.ts"

const { endpoints, login } = TestGateway
const { operations } = PayApi
const backTo = "https://shop.example/back"

/** Asks with plausible fields and the marked card, signed with the marked key; the answer is kept. */
const ask = Effect.fnUntraced(function* (
  operation: Operation,
  fields: TestMerchant.Fields,
  endpointId: string = endpoints.usd
) {
  const reply = yield* Witness.kept(TestGateway.post(operation, fields, { endpointId, key: Marks.controlKey }))
  assert.strictEqual(reply.status, 200, JSON.stringify(reply.body))
  yield* TestMerchant.settled
  return reply
})

/** A new order with the marked card, or a hosted page for one. */
const create = Effect.fnUntraced(function* (
  operation: Operation,
  fields: TestMerchant.Fields = {},
  endpointId?: string
) {
  const { url } = yield* Witness.Witness
  const sample = Sample.request(operation)
  const card = "credit_card_number" in sample ? { credit_card_number: Marks.pan, cvv2: Marks.cvv } : {}
  const own = { login, client_orderid: TestMerchant.freshId(), redirect_url: backTo, server_callback_url: url }
  const reply = yield* ask(operation, { ...sample, ...card, ...own, ...fields }, endpointId)
  return { reply, order: TestMerchant.nameOf(reply) }
})

const approving = Effect.flatMap(SandboxControl, ({ next }) => next("authorize", { verdict: approve }))

const statusOf = (order: TestMerchant.Order, endpointId?: string) =>
  Effect.map(ask(operations.STATUS, { login, ...order }, endpointId), ({ body }) => body)

const assertStatus = Effect.fnUntraced(function* (order: TestMerchant.Order, expected: string, endpointId?: string) {
  assert.deepInclude(yield* statusOf(order, endpointId), { status: expected })
})

const display = <P extends HostedPage.Page, E, R>(page: Effect.Effect<P, E, R>) =>
  Effect.tap(page, ({ body, headers, status }) =>
    Effect.map(Witness.Witness, ({ add }) => add("pages", `${status}\n${JSON.stringify(headers)}\n${body}`))
  )

/** The number is of a brand whose code has three digits. */
const typed = { number: Marks.pan, code: Marks.cvv.slice(0, 3) }

/** Pages that take the card, refuse it, decline it, and bring the browser back. */
export const pages = Effect.gen(function* () {
  const orders: Array<TestMerchant.Order> = []
  for (const operation of [operations.SALEFORM, operations.PREAUTHFORM, operations.ACCOUNT_VERIFICATION_FORM]) {
    const { order, reply } = yield* create(operation)
    const url = TestMerchant.text(reply, "redirect-url")
    orders.push(order)
    yield* display(HostedPage.visit(url))
    const wrong = { code: Marks.cvv, number: Marks.mistypedPan, holder: Marks.pan, expiry: Marks.pan }
    assert.strictEqual((yield* display(HostedPage.pay(url, wrong))).status, 422)
    yield* display(HostedPage.pay(url, typed))
    yield* TestMerchant.settled
    yield* display(HostedPage.browse(url))
    yield* approving
    yield* display(HostedPage.pay(url, { ...typed, attempts: "1" }))
    yield* TestMerchant.settled
    assert.strictEqual((yield* display(HostedPage.browse(url))).action, backTo)
    yield* assertStatus(order, "approved")
    yield* display(HostedPage.visit(`${url}/${Marks.pan}?pan=${Marks.pan}&cvv=${Marks.cvv}`))
  }
  return orders
})

/** From the gateway's page to the issuer's and back. */
const onOurPages = Effect.gen(function* () {
  yield* approving
  const { order } = yield* create(operations.SALE, {}, endpoints.threeds3dsGateway)
  const url = String((yield* statusOf(order, endpoints.threeds3dsGateway))["redirect-to"])
  const first = yield* display(HostedPage.browse(url))
  const request = yield* display(HostedPage.browse(first.action ?? "", { form: first.hidden }))
  const answer = { ...request.hidden, action: "confirm", password: "hint" }
  const decided = yield* display(HostedPage.browse(request.action ?? request.url, { form: answer }))
  yield* display(HostedPage.browse(decided.action ?? "", { form: decided.hidden }))
  yield* TestMerchant.settled
  yield* display(HostedPage.browse(url))
  yield* assertStatus(order, "approved", endpoints.threeds3dsGateway)
  return order
})

const byUpload = Effect.gen(function* () {
  const { play } = yield* ThreeDSControl
  yield* approving
  const { order } = yield* create(operations.PREAUTH, Sample.browser, endpoints.threedsMerchant)
  assert.property(yield* statusOf(order, endpoints.threedsMerchant), "html")
  const carried = yield* Effect.orDie(play(order.orderid, "pass"))
  const { client_orderid, orderid } = order
  const names = { login, "client-order-id": client_orderid, orderid }
  assert(carried._tag === "CRes")
  yield* ask(operations.TDS_UPLOAD_CRES_RESULT, { ...names, cRes: carried.cres }, endpoints.threedsMerchant)
  yield* assertStatus(order, "approved", endpoints.threedsMerchant)
  return order
})

/** 3-D Secure 1.0.2: the merchant carries the browser's PaRes here, and once more when it has already counted. */
const byPaRes = Effect.gen(function* () {
  const { add } = yield* Witness.Witness
  const { next, play } = yield* ThreeDSControl
  yield* next({ enrolment: "version1" })
  yield* approving
  const { order } = yield* create(operations.SALE, {}, endpoints.threedsMerchant)
  const { md = "" } = yield* statusOf(order, endpoints.threedsMerchant)
  const carried = yield* Effect.orDie(play(order.orderid, "pass"))
  assert(carried._tag === "PaRes")
  add("pages", Buffer.from(carried.pares, "base64").toString("latin1"))
  const { client_orderid, orderid } = order
  const upload = {
    login,
    "client-order-id": client_orderid,
    orderid,
    paRes: carried.pares,
    md: String(md),
    server_callback_url: (yield* Witness.Witness).url
  }
  yield* ask(operations.TDS_UPLOAD_PARES_RESULT, upload, endpoints.threedsMerchant)
  yield* assertStatus(order, "approved", endpoints.threedsMerchant)
  yield* ask(operations.TDS_UPLOAD_PARES_RESULT, upload, endpoints.threedsMerchant)
  return order
})

/** The look-up of the card is never answered, which is logged. */
const unanswered = Effect.gen(function* () {
  const { next } = yield* ThreeDSControl
  yield* next({ enrol: { _tag: "Lost" } })
  const { order } = yield* create(operations.SALE, {}, endpoints.threedsMerchant)
  yield* assertStatus(order, "declined", endpoints.threedsMerchant)
  return order
})

/** A customer who is still at the challenge: the security code waits. */
const waiting = Effect.gen(function* () {
  const { order } = yield* create(operations.SALE, {}, endpoints.threeds3dsGateway)
  yield* assertStatus(order, "processing", endpoints.threeds3dsGateway)
  return order
})

export const authentications = Effect.all([onOurPages, byUpload, byPaRes, unanswered, waiting])

const typedIn: TestMerchant.Fields = {
  orderid: "",
  credit_card_number: Marks.pan,
  card_printed_name: "JANE DOE",
  expire_month: "12",
  expire_year: "2040"
}

/** Stored by its number, signed with the merchant's RSA key; refused and answered again as well. */
const storedByNumber = Effect.gen(function* () {
  const send = (fields: TestMerchant.Fields) =>
    Witness.kept(OAuth.send(operations.CARDREF_V4, { fields: { ...typedIn, ...fields } }))
  const first = yield* send({})
  assert.strictEqual(first.status, 200, JSON.stringify(first.body))
  const again = yield* send({})
  assert.strictEqual(TestMerchant.text(again, "card-ref-id"), TestMerchant.text(first, "card-ref-id"))
  for (const wrong of [
    { credit_card_number: Marks.mistypedPan },
    { expire_year: "2020" },
    { expire_month: Marks.pan }
  ]) {
    assert.strictEqual((yield* send(wrong)).status, 400)
  }
  yield* ask(operations.CARDINFO, { login, cardrefid: TestMerchant.text(first, "card-ref-id") })
})

/** A card that is verified, stored, read, charged again, and stopped by a rule. */
export const storedCard = Effect.gen(function* () {
  yield* approving
  const { order: checked } = yield* create(operations.ACCOUNT_VERIFICATION)
  yield* assertStatus(checked, "approved")
  const stored = yield* ask(operations.CARDREF, { login, ...checked })
  const cardrefid = TestMerchant.text(stored, "card-ref-id")
  yield* ask(operations.CARDINFO, { login, cardrefid })
  yield* storedByNumber
  const { order: charged } = yield* create(operations.REBILL, { cardrefid })
  yield* assertStatus(charged, "approved")
  const { order: filtered } = yield* create(operations.SALE, { amount: "100.01" }, endpoints.limited)
  yield* assertStatus(filtered, "filtered")
  return [checked, charged, filtered]
})

/** What the operator reads of callbacks. */
export const callbacks = Effect.fnUntraced(function* (operatorUrl: string) {
  const { add } = yield* Witness.Witness
  const path = "/operator/callbacks?state=delivered&limit=1000"
  const { body, statusCode } = yield* Effect.promise(() => request(operatorUrl + path))
  assert.strictEqual(statusCode, 200)
  add("operator", yield* Effect.promise(() => body.text()))
})
