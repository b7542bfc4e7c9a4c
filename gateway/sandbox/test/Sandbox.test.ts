import * as Http from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { CallbackSender } from "@pay/gateway/CallbackSender"
import { CallbackEvent } from "@pay/gateway/Entities"
import { NodeServer } from "@pay/gateway/NodeServer"
import { Store } from "@pay/gateway/Store"
import { mediaType } from "@pay/schema/Dialect"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as Control from "@pay/signing/Control"
import * as PayClient from "@pay/transport/PayClient"
import type { PayError } from "@pay/transport/PayError"
import { Effect, Layer, Redacted } from "effect"
import * as Sandbox from "../src/Sandbox.ts"
import { SandboxControl } from "../src/SandboxControl.ts"

const { CARDREF_V4, PREAUTH, SALE } = PayApi.operations

/** A sale that the bank approves, with a callback. */
const sale = (changes: Partial<typeof SALE.request.Type> = {}) =>
  Effect.flatMap(PayClient.PayClient, (pay) =>
    Effect.flatMap(Effect.orDie(Effect.fromResult(SALE.decodeFields(Sample.request(SALE)))), (fields) =>
      pay.sale({ ...fields, client_orderid: "INV-1", server_callback_url: "http://shop.test/callback", ...changes })
    )
  )
const status = Effect.flatMap(PayClient.PayClient, (pay) => pay.status({ client_orderid: "INV-1" }))
const outcomeOf = <A, R>(call: Effect.Effect<A, PayError, R>) => Effect.map(Effect.flip(call), ({ _tag }) => _tag)
const inbox = Effect.flatMap(Sandbox.Inbox, ({ arrived }) => arrived)

describe("a sandbox in a test", () => {
  it.effect("approves a sale, sends its callback, and books it at the bank", () =>
    Effect.gen(function* () {
      const { "paynet-order-id": orderid } = yield* sale()
      yield* Sandbox.settled
      assert.strictEqual((yield* status).status, "approved")
      assert.deepStrictEqual(
        (yield* inbox).map(({ callback }) => [callback.orderid, callback.status, callback.webhookId]),
        [[orderid, "approved", `${orderid}-1`]]
      )
      assert.deepStrictEqual((yield* Sandbox.reconciliation).findings, [])
    }).pipe(Effect.provide(Sandbox.layer()))
  )

  it.effect("declines a sale by its security code", () =>
    Effect.gen(function* () {
      yield* sale({ cvv2: Redacted.make("116") })
      yield* Sandbox.settled
      assert.strictEqual((yield* status).status, "declined")
    }).pipe(Effect.provide(Sandbox.layer()))
  )

  it.effect("advances business time: a hold lapses after a week, and the bank releases it", () =>
    Effect.gen(function* () {
      const pay = yield* PayClient.PayClient
      const control = yield* SandboxControl
      const fields = yield* Effect.fromResult(PREAUTH.decodeFields(Sample.request(PREAUTH)))
      const { "paynet-order-id": orderid } = yield* pay.preauth({ ...fields, client_orderid: "INV-1" })
      yield* Sandbox.advance("6 days")
      assert.strictEqual((yield* control.books.totals(orderid)).voidedMinor, 0)
      yield* Sandbox.advance("2 days")
      assert.isAbove((yield* control.books.totals(orderid)).voidedMinor, 0)
      assert.deepStrictEqual((yield* Sandbox.reconciliation).findings, [])
    }).pipe(Effect.provide(Sandbox.layer()))
  )

  it.effect("accepts OAuth signatures after business time has advanced", () =>
    Effect.gen(function* () {
      const pay = yield* PayClient.PayClient
      const { "paynet-order-id": orderid } = yield* sale()
      yield* Sandbox.advance("30 days")
      const fields = { ...Sample.request(CARDREF_V4), client_orderid: "INV-1", orderid }
      const reference = yield* pay.cardrefV4(yield* Effect.fromResult(CARDREF_V4.decodeFields(fields)))
      assert.isString(reference["card-ref-id"])
    }).pipe(Effect.provide(Sandbox.layer()))
  )

  it.effect("reports a lost answer as an unknown outcome, and a repeated request finds the order", () =>
    Effect.gen(function* () {
      const network = yield* Sandbox.SimulatedNetwork
      yield* network.loseNextAnswer
      assert.strictEqual(yield* outcomeOf(sale()), "OutcomeUnknown")
      yield* sale()
      yield* Sandbox.settled
      assert.strictEqual((yield* status).status, "approved")
      const { books } = yield* SandboxControl
      assert.lengthOf(yield* books.all, 1)
    }).pipe(Effect.provide(Sandbox.layer()))
  )

  it.live("retries a request that was not sent, and gives up with NotSent", () =>
    Effect.gen(function* () {
      const network = yield* Sandbox.SimulatedNetwork
      yield* network.refuseNext(1)
      yield* sale()
      yield* network.refuseNext(3)
      assert.strictEqual(yield* outcomeOf(status), "NotSent")
    }).pipe(Effect.provide(Sandbox.layer()))
  )

  it.effect("repeats a refused callback under the same id", () =>
    Effect.gen(function* () {
      const { answerWith } = yield* Sandbox.Inbox
      yield* answerWith(() => Effect.succeed(503))
      yield* sale()
      yield* Sandbox.settled
      yield* answerWith(() => Effect.succeed(200))
      yield* Sandbox.advance("1 hour")
      const ids = (yield* inbox).map(({ callback }) => callback.webhookId)
      assert.lengthOf(ids, 2)
      assert.strictEqual(ids[0], ids[1])
    }).pipe(Effect.provide(Sandbox.layer()))
  )

  it.effect("delivers callbacks to the shop's own receiver, and respects its answer", () =>
    Effect.gen(function* () {
      const received: Array<string> = []
      yield* Sandbox.deliverTo(({ headers, method, url }) =>
        Effect.sync(() => {
          received.push(`${method} ${URL.parse(url)?.searchParams.get("status")} ${headers["webhook-id"]}`)
          return { status: received.length === 1 ? 503 : 200 }
        })
      )
      yield* sale()
      yield* Sandbox.settled
      yield* Sandbox.advance("1 day")
      const [{ callback } = assert.fail("nothing arrived")] = yield* inbox
      assert.deepStrictEqual(received, Array(2).fill(`GET approved ${callback.webhookId}`))
    }).pipe(Effect.provide(Sandbox.layer()))
  )

  it.effect("shares no order with a second sandbox", () => {
    const layer = Sandbox.layer()
    const orders = Effect.map(
      Effect.flatMap(SandboxControl, ({ books }) => books.all),
      ({ length }) => length
    )
    const other = Effect.provide(outcomeOf(status), layer)
    const inner = Effect.gen(function* () {
      yield* sale()
      yield* Sandbox.settled
      assert.strictEqual(yield* other, "Refused")
      assert.strictEqual(yield* Effect.provide(orders, layer), 0)
      assert.strictEqual(yield* orders, 1)
    })
    return Effect.provide(inner, layer)
  })

  it.live("listens on a port of its own, and delivers callbacks to it", () =>
    Effect.gen(function* () {
      const { publicBaseUrl } = yield* NodeServer
      yield* sale({ server_callback_url: `${publicBaseUrl}/nobody-is-here` })
      yield* Sandbox.settled
      assert.strictEqual((yield* status).status, "approved")
      const { orderid = "", status: report } = (yield* inbox)[0]?.callback ?? {}
      assert.strictEqual(report, "approved")
      const store = yield* Store
      assert.strictEqual((yield* store.load(CallbackEvent, [`${orderid}-1`]))?.lastResult, "404")
    }).pipe(Effect.provide(Sandbox.listen()))
  )

  it.live("listens on its port also after it was killed, and refuses each request in its own dialect", () => {
    const sent: Array<string> = []
    const sender = Layer.succeed(CallbackSender, {
      send: ({ headers, url }) =>
        Effect.sync(() => {
          sent.push(`${new URL(url).searchParams.get("status")} at ${headers["webhook-timestamp"]}`)
          return { status: 200 }
        })
    })
    const settings = { publicBaseUrl: "http://127.0.0.1:1/paynet" }
    return Effect.gen(function* () {
      const { port } = yield* NodeServer
      const post = (path: string, body: string, headers: Http.OutgoingHttpHeaders) =>
        Effect.callback<string>((resume) => {
          const type = { "content-type": "application/x-www-form-urlencoded" }
          Http.request({ port, path, method: "POST", headers: { ...type, ...headers } }, (answer) => {
            answer.on("data", (chunk: Buffer) => resume(Effect.succeed(chunk.toString())))
          }).end(body)
        })
      const packed = post("/paynet/api/v2/sale/4001", "", { "content-encoding": "gzip" })
      assert.match(yield* packed, /^type=validation-error\n/)
      yield* (yield* Sandbox.Restart).now
      assert.match(yield* packed, /^type=validation-error\n/)
      const fields = { ...Sample.request(SALE), server_callback_url: "http://127.0.0.1:1/callback" }
      const signed = Sandbox.merchant.controlKey
      const values = { ...fields, endpointId: Sandbox.endpoints.usd, amount: "1042" }
      const control = Control.sign(Control.recipes.sale, values, signed)
      const body = new URLSearchParams({ ...fields, control }).toString()
      assert.include(yield* post("/api/v2/sale/1001", body, { accept: mediaType }), "async-response")
      yield* Sandbox.settled
      assert.deepStrictEqual(sent, ["approved at 1000"])
    }).pipe(Effect.provide(Sandbox.listenRestartable({ settings, sender, wallTimeMs: () => 1_000_000 })))
  })
})
