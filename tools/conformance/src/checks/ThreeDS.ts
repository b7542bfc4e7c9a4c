/** Checks of 3-D Secure in both modes: which party runs it, which results authenticate, and which do not. */
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as CallbackSignature from "@pay/signing/Callback"
import { Effect, Redacted } from "effect"
import * as Capability from "../Capability.ts"
import * as Check from "../Check.ts"
import * as Customer from "../Customer.ts"
import type { Fields } from "../Draft.ts"
import * as Expect from "../Expect.ts"
import { advance, call, Gateway } from "../Gateway.ts"
import * as Orders from "../Orders.ts"
import type { ThreeDSRole } from "../Settings.ts"
import * as ThreeDSOrders from "../ThreeDSOrders.ts"

const uploads = "docs/specification.md#3-d-secure-uploads"
const who = "docs/assumptions.md#who-runs-3-d-secure"

/** Sends the customer to the page of the gateway that the answer to `status` names. */
const onPages = Effect.fnUntraced(function* (order: Orders.Order, action: Customer.Action) {
  const body = yield* ThreeDSOrders.waiting(order)
  const address = Expect.textOf(body, "redirect-to")
  if (address === undefined) return yield* Expect.violated(`the order does not wait for a page: ${String(body.status)}`)
  return yield* Customer.walk(address, action)
})

const gateway = (
  id: string,
  title: string,
  role: ThreeDSRole,
  program: Check.Program,
  clause: Check.Clause = "docs/specification.md#transactions"
): Check.Check =>
  Check.make({
    id: `threeds/gateway/${id}`,
    title,
    clause,
    needs: [Capability.threedsGateway, Capability.threedsCard(role)],
    program
  })

const paged = (id: string, role: ThreeDSRole, action: Customer.Action, expected: string): Check.Check =>
  gateway(
    id,
    `on the gateway's pages, the card "${role}" with the customer's action "${action}" ends ${expected}`,
    role,
    Effect.gen(function* () {
      const order = yield* ThreeDSOrders.sale("threedsGateway", role)
      const browserFields = yield* onPages(order, action)
      const body = yield* Orders.final(order)
      yield* Expect.equal(body.status, expected, "the status")
      yield* expectSignedForm(order, browserFields, expected)
    })
  )

/** Requires that the fields that the browser brings to `redirect_url` are signed like a callback. */
const expectSignedForm = Effect.fnUntraced(function* (order: Orders.Order, browserFields: Fields, expected: string) {
  const { settings } = (yield* Gateway).facts
  const verified = CallbackSignature.verify(Object.entries(browserFields), [Redacted.value(settings.controlKey)])
  yield* Expect.that(verified.ok, "the form that brings the browser back has a wrong control")
  yield* Expect.equal(browserFields.status, expected, "the status that the browser brings back")
  yield* Expect.equal(
    browserFields.client_orderid,
    order.clientOrderId,
    "the client_orderid that the browser brings back"
  )
})

const atOnce = (id: string, role: ThreeDSRole, expected: string): Check.Check =>
  gateway(
    id,
    `the card "${role}" ends ${expected} without a page`,
    role,
    Effect.gen(function* () {
      const order = yield* ThreeDSOrders.sale("threedsGateway", role)
      const body = yield* Orders.final(order)
      yield* Expect.equal(body.status, expected, "the status")
    })
  )

const upload = Effect.fnUntraced(function* (name: PayApi.Name, order: Orders.Order, fields: Fields) {
  const { settings } = (yield* Gateway).facts
  const names = { login: settings.login, "client-order-id": order.clientOrderId, orderid: order.orderId }
  const options = order.endpointId === undefined ? {} : { endpointId: order.endpointId }
  return yield* call(PayApi.operations[name], { ...names, ...fields }, options)
})

const merchant = (
  id: string,
  title: string,
  role: ThreeDSRole,
  program: Check.Program,
  clause: Check.Clause = uploads
): Check.Check =>
  Check.make({
    id: `threeds/merchant/${id}`,
    title,
    clause,
    needs: [Capability.threedsMerchant, Capability.threedsCard(role), Capability.password],
    program
  })

const ended = Effect.fnUntraced(function* (order: Orders.Accepted, expected: string) {
  const body = yield* Orders.final(order)
  yield* Expect.equal(body.status, expected, "the status")
})

const base64url = (text: string): string => Buffer.from(text).toString("base64url")

const forgedCRes = (status: Orders.Body): string =>
  base64url(
    JSON.stringify({
      threeDSServerTransID: status["threeds-server-trans-id"],
      acsTransID: "00000000-0000-0000-0000-000000000001",
      challengeCompletionInd: "Y",
      messageType: "CRes",
      messageVersion: "2.2.0",
      transStatus: "Y"
    })
  )

const browserData = { ...Sample.browser }

const uploaded: ReadonlyArray<Check.Check> = [
  merchant(
    "method",
    "a payment is approved after the method result is uploaded",
    "method",
    Effect.gen(function* () {
      const { order, values } = yield* ThreeDSOrders.atMethod
      const fields = { threeDSCompInd: "Y", threeDSServerTransID: values["threeds-server-trans-id"] ?? "" }
      yield* Expect.accepted(yield* upload("TDS_UPLOAD_METHOD_URL_RESULT", order, fields), "the upload")
      yield* ended(order, "approved")
    })
  ),
  ...(["pass", "fail"] as const).map((action) => {
    const expected = action === "pass" ? "approved" : "declined"
    return merchant(
      `challenge-${action}`,
      `an uploaded CRes after the customer's action "${action}" ends ${expected}`,
      "challenge",
      Effect.gen(function* () {
        const order = yield* ThreeDSOrders.sale("threedsMerchant", "challenge")
        const status = yield* ThreeDSOrders.atStage(order, "challenge")
        const { cres = "" } = yield* Customer.challenge(status, action)
        yield* Expect.accepted(yield* upload("TDS_UPLOAD_CRES_RESULT", order, { cRes: cres }), "the upload")
        yield* ended(order, expected)
      })
    )
  }),
  ...(["pass", "fail"] as const).map((action) => {
    const expected = action === "pass" ? "approved" : "declined"
    return merchant(
      `pares-${action}`,
      `an uploaded PaRes after the customer's action "${action}" ends ${expected}`,
      "version1",
      Effect.gen(function* () {
        const order = yield* ThreeDSOrders.sale("threedsMerchant", "version1")
        const status = yield* ThreeDSOrders.atStage(order, "pareq")
        const { MD = "", PaRes = "" } = yield* Customer.passwordPage(status, action)
        yield* Expect.accepted(yield* upload("TDS_UPLOAD_PARES_RESULT", order, { paRes: PaRes, md: MD }), "the upload")
        yield* ended(order, expected)
      })
    )
  })
]

const forged: ReadonlyArray<Check.Check> = [
  merchant(
    "made-up",
    "a forged CRes with the right ids does not authenticate",
    "challenge",
    Effect.gen(function* () {
      const order = yield* ThreeDSOrders.sale("threedsMerchant", "challenge")
      const status = yield* ThreeDSOrders.atStage(order, "challenge")
      yield* upload("TDS_UPLOAD_CRES_RESULT", order, { cRes: forgedCRes(status) })
      yield* Effect.sleep("300 millis")
      const later = yield* Orders.status(order)
      yield* Expect.that(later.status !== "approved", "the payment was approved without authentication")
    })
  ),
  merchant(
    "unsigned",
    "an unsigned PaRes does not authenticate",
    "version1",
    Effect.gen(function* () {
      const order = yield* ThreeDSOrders.sale("threedsMerchant", "version1")
      const status = yield* ThreeDSOrders.atStage(order, "pareq")
      yield* upload("TDS_UPLOAD_PARES_RESULT", order, {
        paRes: "eJzVWNnSo8iOfpWO",
        md: Expect.textOf(status, "md") ?? ""
      })
      yield* Effect.sleep("300 millis")
      const later = yield* Orders.status(order)
      yield* Expect.that(later.status !== "approved", "the payment was approved without authentication")
    })
  ),
  merchant(
    "changed",
    "a changed PaRes does not authenticate",
    "version1Forged",
    Effect.gen(function* () {
      const order = yield* ThreeDSOrders.sale("threedsMerchant", "version1Forged")
      const status = yield* ThreeDSOrders.atStage(order, "pareq")
      const { MD = "", PaRes = "" } = yield* Customer.passwordPage(status, "fail")
      yield* upload("TDS_UPLOAD_PARES_RESULT", order, { paRes: PaRes, md: MD })
      yield* Effect.sleep("300 millis")
      const later = yield* Orders.status(order)
      yield* Expect.that(later.status !== "approved", "the payment was approved with a changed PaRes")
    })
  ),
  merchant(
    "stage",
    "an upload for another stage is refused",
    "challenge",
    Effect.gen(function* () {
      const order = yield* ThreeDSOrders.sale("threedsMerchant", "challenge")
      const status = yield* ThreeDSOrders.atStage(order, "challenge")
      const transaction = Expect.textOf(status, "threeds-server-trans-id") ?? ""
      const fields = { threeDSCompInd: "Y", threeDSServerTransID: transaction }
      const method = yield* upload("TDS_UPLOAD_METHOD_URL_RESULT", order, fields)
      yield* Expect.refused(method, "orderState", undefined, "the method's result at the challenge")
      const pares = yield* upload("TDS_UPLOAD_PARES_RESULT", order, { paRes: "eJzVWNnSo8iOfpWO" })
      yield* Expect.refused(pares, "orderState", undefined, "a PaRes of version 1 at the challenge")
      const sale = yield* Orders.settled("SALE")
      const none = yield* upload("TDS_UPLOAD_CRES_RESULT", sale, { cRes: forgedCRes(status) })
      yield* Expect.refused(none, "orderState", undefined, "a CRes for a payment without 3-D Secure")
    }),
    "docs/assumptions.md#who-runs-3-d-secure"
  )
]

export const all: ReadonlyArray<Check.Check> = [
  paged("challenge", "challenge", "pass", "approved"),
  paged("method-challenge", "methodChallenge", "pass", "approved"),
  paged("challenge-failed", "challenge", "fail", "declined"),
  paged("challenge-cancelled", "challenge", "cancel", "declined"),
  paged("forged", "forged", "fail", "declined"),
  paged("version1", "version1", "pass", "approved"),
  atOnce("frictionless", "frictionless", "approved"),
  atOnce("refused", "refused", "declined"),
  gateway(
    "endpoint-decides",
    "a request without the browser's data does not skip 3-D Secure",
    "challenge",
    Effect.gen(function* () {
      const none = Object.fromEntries(Object.keys(browserData).map((name) => [name, ""]))
      const order = yield* ThreeDSOrders.sale("threedsGateway", "challenge", "SALE", none)
      const body = yield* ThreeDSOrders.waiting(order)
      yield* Expect.equal(body.status, "processing", "the status of a payment without authentication")
    }),
    who
  ),
  Check.make({
    id: "threeds/gateway/abandoned",
    title: "a challenge that the customer never opens ends declined",
    clause: "docs/specification.md#limits",
    needs: [Capability.threedsGateway, Capability.threedsCard("challenge"), Capability.clock, Capability.assumptions],
    alone: true,
    program: Effect.gen(function* () {
      const order = yield* ThreeDSOrders.sale("threedsGateway", "challenge")
      yield* ThreeDSOrders.waiting(order)
      yield* advance("15m")
      yield* ended(order, "declined")
    })
  }),
  ...uploaded,
  ...forged
]
