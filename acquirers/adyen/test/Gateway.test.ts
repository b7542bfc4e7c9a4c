/** A gateway whose bank is the simulated Adyen, over HTTP: requests of a merchant, webhooks, and both books. */

import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, expect, it } from "@effect/vitest"
import { NotificationServer } from "@pay/gateway/Gateway"
import { NodeServer } from "@pay/gateway/NodeServer"
import * as Reconciliation from "@pay/gateway/Reconciliation"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as Sandbox from "@pay/server/Sandbox"
import * as PayClient from "@pay/transport/PayClient"
import { Effect, Layer, Redacted, Schedule } from "effect"
import * as Adyen from "../src/Adyen.ts"
import * as Adapter from "./Adapter.ts"
import { settingsFile } from "./Sample.ts"
import * as Talking from "./Talking.ts"

const { controlKey, endpoints, login, privateKeyPem } = Sandbox.merchant
const { CAPTURE, PREAUTH, RETURN, SALE, VOID } = PayApi.operations
const endpointId = endpoints.eur

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "pay-adyen-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true }))
)

/** Runs a program with a gateway on a simulated Adyen that sends its webhooks to it. */
const withGateway = <A, E>(
  program: (adyen: Effect.Success<typeof Talking.open>) => Effect.Effect<A, E, PayClient.PayClient>
) =>
  Effect.gen(function* () {
    const adyen = yield* Talking.open
    const adapters = { ...Adyen.make({ ...settingsFile, url: adyen.url })(Adapter.toolkit), bankBooks: adyen.books }
    const gateway = Sandbox.layer({ dataDirectory: yield* folder, port: 0, adapters })
    const client = Layer.unwrap(
      Effect.map(NodeServer, ({ publicBaseUrl: baseUrl }) =>
        PayClient.layer({
          baseUrl,
          login,
          controlKey: Redacted.make(controlKey),
          privateKey: Redacted.make(privateKeyPem),
          endpointId
        })
      )
    )
    const inside = Effect.gen(function* () {
      const { url } = yield* NotificationServer
      adyen.deliverTo(`${url}/notifications/acquirer`)
      const result = yield* program(adyen)
      const { findings } = yield* Reconciliation.check
      assert.deepStrictEqual(findings, [])
      return result
    })
    return yield* Effect.provide(inside, Layer.provideMerge(client, gateway))
  })

const fieldsOf = (clientOrderId: string, changes: Readonly<Record<string, string>> = {}) => ({
  ...Sample.request(SALE),
  client_orderid: clientOrderId,
  amount: "10.42",
  currency: "EUR",
  credit_card_number: "4111111111111111",
  cvv2: "737",
  expire_month: "03",
  expire_year: "2099",
  card_printed_name: "JANE DOE",
  ...changes
})

const create = Effect.fnUntraced(function* (
  operation: typeof SALE | typeof PREAUTH,
  client_orderid: string,
  changes: Readonly<Record<string, string>> = {}
) {
  const client = yield* PayClient.PayClient
  const request = yield* Effect.fromResult(operation.decodeFields(fieldsOf(client_orderid, changes)))
  const answer = yield* client.call(operation, request, { endpointId })
  return { client_orderid, orderid: String(answer["paynet-order-id"]) }
})
type Names = Effect.Success<ReturnType<typeof create>>

/** Waits until the order is what the test expects. The webhooks arrive in their own time. */
const become = Effect.fnUntraced(function* (order: Names, expected: Readonly<Record<string, string>>) {
  const client = yield* PayClient.PayClient
  const isSo = (status: Readonly<Record<string, unknown>>) =>
    Object.entries(expected).every(([name, value]) => status[name] === value)
  return yield* client
    .status(order, { endpointId })
    .pipe(
      Effect.repeat({ until: isSo, schedule: Schedule.upTo(Schedule.spaced("50 millis"), { times: 300 }) }),
      (polled) => Effect.tap(polled, (status) => Effect.sync(() => expect(status).toMatchObject(expected)))
    )
})

const act = Effect.fnUntraced(function* (
  operation: typeof CAPTURE | typeof VOID | typeof RETURN,
  order: Names,
  fields: Readonly<Record<string, string>> = {}
) {
  const client = yield* PayClient.PayClient
  const request = yield* Effect.fromResult(operation.decodeFields({ login, ...order, ...fields }))
  yield* client.call(operation, request, { endpointId })
})

const money = (captured: string, returned: string) => ({ "captured-amount": captured, "returned-amount": returned })

describe("a gateway with Adyen as its bank", () => {
  it.live("takes a sale, declines another, and refunds a part: both books agree", () =>
    withGateway(() =>
      Effect.gen(function* () {
        const sale = yield* create(SALE, "sale-1")
        yield* become(sale, { status: "approved", ...money("10.42", "0.00") })
        yield* act(RETURN, sale, { amount: "5.21", currency: "EUR", comment: "one too many" })
        yield* become(sale, money("10.42", "5.21"))
        const declined = yield* create(SALE, "sale-2", { card_printed_name: "NOT_ENOUGH_BALANCE" })
        yield* become(declined, { status: "declined", "error-code": "116" })
      })
    )
  )

  it.live("captures parts of a hold and releases the rest, which webhooks confirm: both books agree", () =>
    withGateway(() =>
      Effect.gen(function* () {
        const hold = yield* create(PREAUTH, "hold-1", { amount: "100.00" })
        yield* become(hold, { status: "approved", "remaining-amount": "100.00" })
        yield* act(CAPTURE, hold, { amount: "60.00", currency: "EUR" })
        yield* become(hold, { status: "approved", ...money("60.00", "0.00") })
        yield* act(VOID, hold)
        yield* become(hold, { "remaining-amount": "0.00" })
      })
    )
  )

  it.live("books back a capture and a refund that fail after their webhooks: both books agree", () =>
    withGateway((adyen) =>
      Effect.gen(function* () {
        const hold = yield* create(PREAUTH, "hold-3", { amount: "100.00" })
        yield* become(hold, { status: "approved" })
        yield* act(CAPTURE, hold)
        yield* become(hold, { status: "approved", ...money("100.00", "0.00") })
        yield* act(RETURN, hold, { amount: "40.00", currency: "EUR", comment: "a part" })
        yield* become(hold, { status: "approved", ...money("100.00", "40.00") })
        yield* adyen.failLate(`${hold.orderid}-refund-2`)
        yield* become(hold, money("100.00", "0.00"))
        yield* adyen.failLate(`${hold.orderid}-capture-1`)
        yield* become(hold, { status: "approved", "remaining-amount": "100.00", ...money("0.00", "0.00") })
      })
    )
  )

  it.live.each(["answerCut", "garbled", "serverError", "otherReference", "eventFirst", "eventTwice"] as const)(
    "ends a payment whose answer came with %s by its webhook, once",
    (fault) =>
      withGateway((adyen) =>
        Effect.gen(function* () {
          adyen.weather.next(fault)
          yield* become(yield* create(SALE, "sale-3"), { status: "approved", ...money("10.42", "0.00") })
          assert.strictEqual(adyen.payments.size, 1)
        })
      )
  )

  it.live(
    "sends a payment whose answer was lost again under its key where no webhook arrives, and it is paid once",
    () =>
      withGateway((adyen) =>
        Effect.gen(function* () {
          adyen.deliverTo("http://127.0.0.1:9/")
          adyen.weather.next("answerCut")
          yield* become(yield* create(SALE, "sale-4"), { status: "approved", ...money("10.42", "0.00") })
          assert.strictEqual(adyen.payments.size, 1)
        })
      )
  )

  it.live("books a chargeback and its defence, and the merchant sees both: the books agree", () =>
    withGateway((adyen) =>
      Effect.gen(function* () {
        const sale = yield* create(SALE, "sale-5")
        yield* become(sale, { status: "approved", "transaction-type": "sale" })
        const [payment] = adyen.payments.values()
        const report = (eventCode: string) =>
          adyen.events.add({
            ...{ eventCode, success: "true", reason: "Fraud", paymentMethod: "visa", additionalData: {} },
            pspReference: "QFQTPCQ8HXSKGK82",
            originalReference: payment?.pspReference,
            merchantReference: payment?.reference ?? "",
            merchantAccountCode: settingsFile.merchantAccount,
            amount: { currency: "EUR", value: 1042 }
          })
        yield* report("NOTIFICATION_OF_CHARGEBACK")
        yield* report("CHARGEBACK")
        yield* become(sale, { status: "approved", "transaction-type": "chargeback", ...money("10.42", "0.00") })
        yield* report("CHARGEBACK_REVERSED")
        yield* become(sale, { status: "approved", "transaction-type": "sale" })
      })
    )
  )

  it.live("refuses a webhook that was changed, and one of another sender", () =>
    withGateway((adyen) =>
      Effect.gen(function* () {
        adyen.weather.next("eventLate")
        const hold = yield* create(PREAUTH, "hold-2")
        yield* become(hold, { status: "approved" })
        yield* adyen.release
        const [body = ""] = adyen.events.bodies
        const statuses = yield* adyen.events.postNow([body, body.replace('"value":1042', '"value":9942'), "{}"])
        assert.deepStrictEqual(statuses, [200, 401, 401])
      })
    )
  )
})
