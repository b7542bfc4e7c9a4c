/** The simulated issuer and the gateway together: what authenticates a payment, and what a dishonest browser cannot do. */
import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as PayClient from "@pay/transport/PayClient"
import { Effect, Redacted } from "effect"
import * as Sandbox from "../src/Sandbox.ts"
import { ThreeDSControl } from "../src/ThreeDSControl.ts"
import * as ThreeDSForgeries from "../src/ThreeDSForgeries.ts"
import { numberOf } from "./Paying.ts"

const { SALE } = PayApi.operations
const world = () => Sandbox.layer({ endpointId: Sandbox.endpoints.threedsMerchant })

const order = { "client-order-id": "INV-1" }
const status = Effect.flatMap(PayClient.PayClient, (pay) => pay.status({ client_orderid: "INV-1" }))

/** Makes a sale with 3-D Secure by the merchant until a browser is necessary, and returns its order number. */
const sale = (name: string, client_orderid = "INV-1") =>
  Effect.gen(function* () {
    const pay = yield* PayClient.PayClient
    const fields = yield* Effect.orDie(
      Effect.fromResult(SALE.decodeFields({ ...Sample.request(SALE), ...Sample.browser }))
    )
    const { "paynet-order-id": orderid } = yield* pay.sale({
      ...fields,
      client_orderid,
      credit_card_number: Redacted.make(numberOf(name)),
      redirect_url: "https://shop.example/back"
    })
    yield* Sandbox.settled
    return orderid
  })

const uploadCres = (orderid: string, cRes: string) =>
  Effect.flatMap(PayClient.PayClient, (pay) => pay.tdsUploadCresResult({ ...order, orderid, cRes }))
const uploadPares = (orderid: string, paRes: string) =>
  Effect.flatMap(PayClient.PayClient, (pay) => pay.tdsUploadParesResult({ ...order, orderid, paRes }))

const cresOf = (orderid: string, choice: "pass" | "fail" | "abandon") =>
  Effect.gen(function* () {
    const carried = yield* Effect.flatMap(ThreeDSControl, ({ play }) => play(orderid, choice))
    return carried._tag === "CRes" ? carried.cres : yield* Effect.die("no challenge")
  })
const paresOf = (orderid: string, choice: "pass" | "fail" | "abandon") =>
  Effect.gen(function* () {
    const carried = yield* Effect.flatMap(ThreeDSControl, ({ play }) => play(orderid, choice))
    return carried._tag === "PaRes" ? carried.pares : yield* Effect.die("not version 1")
  })

/** Refused by the gateway, or by the client before it is sent. */
const refusals = ["Refused", "InvalidRequest"]

/** Longer than a challenge may take. */
const afterExpiry = Effect.andThen(Sandbox.advance("15 minutes"), status)

const withoutChallenge = [
  ["frictionless", "approved"],
  ["attempted", "approved"],
  ["refused", "declined"],
  ["rejected", "declined"],
  ["unavailable", "declined"],
  ["unexpected", "declined"],
  ["not-enrolled", "declined"],
  ["lookup-fails", "declined"],
  ["issuer-fails", "declined"]
] as const

describe("a payment without a challenge", () => {
  it.effect.each(withoutChallenge)("with the card %s is %s", ([name, outcome]) =>
    Effect.gen(function* () {
      yield* sale(name)
      assert.strictEqual((yield* status).status, outcome)
    }).pipe(Effect.provide(world()))
  )
})

describe("a payment with a challenge", () => {
  const choices = [
    ["pass", "approved"],
    ["fail", "declined"],
    ["abandon", "declined"]
  ] as const
  it.effect.each(choices)("with the customer's choice %s is %s, also after a repeated upload", ([choice, outcome]) =>
    Effect.gen(function* () {
      const orderid = yield* sale("challenge")
      assert.strictEqual((yield* status).status, "processing")
      const cres = yield* cresOf(orderid, choice)
      yield* uploadCres(orderid, cres)
      yield* uploadCres(orderid, cres)
      yield* Sandbox.settled
      assert.strictEqual((yield* status).status, outcome)
    }).pipe(Effect.provide(world()))
  )

  it.effect("is declined when the challenge expires", () =>
    Effect.gen(function* () {
      yield* sale("leaves")
      assert.strictEqual((yield* afterExpiry).status, "declined")
    }).pipe(Effect.provide(world()))
  )

  it.effect("is declined if the browser forges a passed challenge", () =>
    Effect.gen(function* () {
      const orderid = yield* sale("challenge")
      yield* uploadCres(orderid, ThreeDSForgeries.successful.make(yield* cresOf(orderid, "fail")))
      yield* Sandbox.settled
      assert.strictEqual((yield* status).status, "declined")
    }).pipe(Effect.provide(world()))
  )

  it.effect.each(ThreeDSForgeries.cres)("refuses a CRes $name and does not change", ({ make }) =>
    Effect.gen(function* () {
      const orderid = yield* sale("challenge")
      const cres = yield* cresOf(orderid, "pass")
      assert.include(refusals, (yield* Effect.flip(uploadCres(orderid, make(cres))))._tag)
      yield* Sandbox.settled
      assert.strictEqual((yield* status).status, "processing")
      yield* uploadCres(orderid, cres)
      yield* Sandbox.settled
      assert.strictEqual((yield* status).status, "approved")
    }).pipe(Effect.provide(world()))
  )

  const reports = [
    ["report-late", "approved"],
    ["report-never", "declined"],
    ["result-lost", "declined"]
  ] as const
  it.effect.each(reports)("with the card %s is %s", ([name, outcome]) =>
    Effect.gen(function* () {
      const orderid = yield* sale(name)
      yield* uploadCres(orderid, yield* cresOf(orderid, "pass"))
      yield* Sandbox.settled
      assert.strictEqual((yield* status).status, "processing")
      yield* Sandbox.advance("1 minute")
      assert.strictEqual((yield* status).status, outcome)
    }).pipe(Effect.provide(world()))
  )
})

describe("a payment with 3-D Secure 1.0.2", () => {
  const choices = [
    ["version1", "pass", "approved"],
    ["version1", "fail", "declined"],
    ["version1-attempted", "pass", "approved"],
    ["version1-unavailable", "pass", "declined"]
  ] as const
  it.effect.each(choices)("with the card %s and the choice %s is %s", ([name, choice, outcome]) =>
    Effect.gen(function* () {
      const orderid = yield* sale(name)
      yield* uploadPares(orderid, yield* paresOf(orderid, choice))
      yield* Sandbox.settled
      assert.strictEqual((yield* status).status, outcome)
    }).pipe(Effect.provide(world()))
  )

  it.effect.each(ThreeDSForgeries.paRes)("refuses a PaRes $name and does not change", ({ make }) =>
    Effect.gen(function* () {
      const orderid = yield* sale("version1")
      const genuine = yield* paresOf(orderid, "fail")
      assert.include(refusals, (yield* Effect.flip(uploadPares(orderid, make(genuine))))._tag)
      yield* Sandbox.settled
      assert.strictEqual((yield* status).status, "processing")
      yield* uploadPares(orderid, genuine)
      yield* Sandbox.settled
      assert.strictEqual((yield* status).status, "declined")
    }).pipe(Effect.provide(world()))
  )

  it.effect("refuses the PaRes of another order", () =>
    Effect.gen(function* () {
      const orderid = yield* sale("version1")
      const other = yield* paresOf(yield* sale("version1", "INV-2"), "pass")
      assert.strictEqual((yield* Effect.flip(uploadPares(orderid, other)))._tag, "Refused")
    }).pipe(Effect.provide(world()))
  )
})
