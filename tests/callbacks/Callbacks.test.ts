/** What arrives at a merchant's server, and how it proves where it comes from. */
import { createHash, createHmac } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { declines } from "@pay/schema/Decline"
import * as Sandbox from "@pay/server/Sandbox"
import * as CallbackSignature from "@pay/signing/Callback"
import * as StandardWebhooks from "@pay/signing/StandardWebhooks"
import * as CallbackReceiver from "@pay/transport/CallbackReceiver"
import { Effect, Redacted, Result } from "effect"
import { inWallTime } from "../../packages/schema/test/Clocks.ts"
import * as CallbackServer from "../harness/CallbackServer.ts"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as Merchants from "../harness/Merchants.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as World from "../harness/World.ts"
import * as SocketWorld from "./SocketWorld.ts"

const { controlKey } = Sandbox.merchant

/** Verifies a callback as a merchant does whose clock shows wall time. */
const verify = ({ headers, target }: CallbackServer.ReceivedRequest, key: string = controlKey) =>
  CallbackReceiver.verify(
    { url: target, headers },
    { controlKeys: [Redacted.make(key)], requireWebhookHeaders: true }
  ).pipe(inWallTime)

const header = (ask: CallbackServer.ReceivedRequest, name: string): string => {
  const value = ask.headers[name]
  assert(typeof value === "string", `header ${name}`)
  return value
}

/** Whether the webhook headers are right by this key alone, whatever key `control` was made with. */
const webhookOf = (request: CallbackServer.ReceivedRequest, key: string): boolean =>
  StandardWebhooks.verify({
    headers: {
      "webhook-id": header(request, "webhook-id"),
      "webhook-timestamp": header(request, "webhook-timestamp"),
      "webhook-signature": header(request, "webhook-signature")
    },
    content: CallbackSignature.signedForms(request.target.split("?")[1] ?? ""),
    secrets: [StandardWebhooks.secret(key)],
    nowSeconds: Number(header(request, "webhook-timestamp")),
    toleranceSeconds: 0
  }).ok

const only = ({ requests: ask }: CallbackServer.CallbackServer): CallbackServer.ReceivedRequest => {
  const [first, ...more] = ask
  assert(first !== undefined && more.length === 0, `${ask.length} requests`)
  return first
}

describe("a callback", () => {
  it.live("of an approved sale has its parameters in the documented order", () =>
    Effect.gen(function* () {
      const shop = yield* CallbackServer.open()
      const order = yield* ClientMerchant.create("SALE", { server_callback_url: shop.url() })
      yield* World.settled
      const displayed = yield* ClientMerchant.status(order)
      const request = only(shop)
      assert.strictEqual(request.method, "GET")
      const parameters = CallbackServer.parameters(request)
      assert.deepStrictEqual(parameters.slice(0, -1), [
        ["status", "approved"],
        ["orderid", order.orderid],
        ["client_orderid", order.client_orderid],
        ["merchant_order", order.client_orderid],
        ["type", "sale"],
        ["amount", "10.42"],
        ["currency", "USD"],
        ["serial-number", order.serialNumber],
        ["descriptor", "SANDBOX USD"],
        ["bin", "444433"],
        ["last-four-digits", "1111"],
        ["card-type", "VISA"],
        ["approval-code", displayed["approval-code"] ?? ""],
        ["processor-tx-id", `PNTEST-${order.orderid}`]
      ])
      assert.strictEqual(parameters.at(-1)?.[0], "control")
    }).pipe(Effect.provide(SocketWorld.layer(), { local: true }))
  )

  it.live("of a declined sale has the reason and no parameter of an approval", () =>
    Effect.gen(function* () {
      const shop = yield* CallbackServer.open()
      yield* ClientMerchant.create("SALE", { server_callback_url: shop.url(), cvv2: "116" })
      yield* World.settled
      const parameters = Object.fromEntries(CallbackServer.parameters(only(shop)))
      const { message } = declines.notSufficientFunds
      const why = { error_code: "116", error_message: message }
      assert.deepInclude(parameters, { status: "declined", type: "sale", ...why })
      assert.doesNotHaveAnyKeys(parameters, ["approval-code", "processor-tx-id"])
    }).pipe(Effect.provide(SocketWorld.layer(), { local: true }))
  )

  it.live.each([
    ["/callback?", "/callback?status="],
    ["/callback?id=7&lang=en", "/callback?id=7&lang=en&status="],
    ["/a%20b/%C3%A9?x=%20+%26&x=2&empty=", "/a%20b/%C3%A9?x=%20%20%26&x=2&empty=&status="],
    ["/callback?flag&p[0]=1&a=%7Eb", "/callback?flag=&p%5B0%5D=1&a=~b&status="],
    ["/callback?id=7#top", "/callback?id=7&status="]
  ] as const)("to %s is sent to %s…, after the merchant's own parameters", ([path, start]) =>
    Effect.gen(function* () {
      const shop = yield* CallbackServer.open()
      const order = yield* ClientMerchant.create("SALE", { server_callback_url: shop.url(path) })
      yield* World.settled
      const request = only(shop)
      assert.strictEqual(request.target.slice(0, start.length), start)
      assert.strictEqual(
        (yield* verify(request)).orderid,
        order.orderid,
        "the signature covers the merchant's part too"
      )
    }).pipe(Effect.provide(SocketWorld.layer(), { local: true }))
  )

  it.live("is signed by control and by Standard Webhooks as documented", () =>
    Effect.gen(function* () {
      const shop = yield* CallbackServer.open()
      const { client_orderid, orderid } = yield* ClientMerchant.create("SALE", { server_callback_url: shop.url() })
      yield* World.settled
      const request = only(shop)
      const control = createHash("sha1").update(`approved${orderid}${client_orderid}${controlKey}`).digest("hex")
      assert.strictEqual(CallbackServer.parameters(request).at(-1)?.[1], control)
      const id = header(request, "webhook-id")
      const secret = createHmac("sha256", controlKey).update("pay/webhook/v1").digest()
      const content = request.target.slice(request.target.indexOf("?") + 1)
      const canonical = content.split("&").sort().join("&")
      const signatures = [content, canonical].map((text) =>
        createHmac("sha256", secret)
          .update(`${id}.${header(request, "webhook-timestamp")}.${text}`)
          .digest("base64")
      )
      assert.strictEqual(header(request, "webhook-signature"), signatures.map((each) => `v1,${each}`).join(" "))
      assert.deepInclude(yield* verify(request), { orderid, status: "approved", webhookId: id })
    }).pipe(Effect.provide(SocketWorld.layer(), { local: true }))
  )

  it.live("is refused by the receiver if it was changed or signed with another key", () =>
    Effect.gen(function* () {
      const shop = yield* CallbackServer.open()
      yield* ClientMerchant.create("SALE", { server_callback_url: shop.url() })
      yield* World.settled
      const request = only(shop)
      const reasons: Array<string> = []
      for (const changed of [
        { ...request, target: request.target.replace("status=approved", "status=declined") },
        { ...request, target: request.target.replace("amount=10.42", "amount=99.99") },
        { ...request, headers: { ...request.headers, "webhook-id": "another" } },
        { ...request, headers: {} }
      ]) {
        const refused = yield* Effect.result(verify(changed))
        reasons.push(Result.isFailure(refused) ? refused.failure.reason : "taken")
      }
      const foreign = yield* Effect.result(verify(request, Merchants.other.controlKey))
      reasons.push(Result.isFailure(foreign) ? foreign.failure.reason : "taken")
      assert.deepStrictEqual(reasons, ["Forged", "Forged", "Forged", "Unsigned", "Forged"])
    }).pipe(Effect.provide(SocketWorld.layer(), { local: true }))
  )

  it.live("during a key rotation has the control of the newest key and a signature of each", () => {
    const newest = "11111111-2222-4333-8444-555555555555"
    const [merchant] = Sandbox.merchants
    assert(merchant !== undefined)
    const merchants = [{ ...merchant, controlKeys: [Redacted.make(newest), ...(merchant.controlKeys ?? [])] }]
    return Effect.gen(function* () {
      const shop = yield* CallbackServer.open()
      const { client_orderid, orderid } = yield* TestMerchant.order("SALE", { server_callback_url: shop.url() })
      const request = only(shop)
      const control = createHash("sha1").update(`approved${orderid}${client_orderid}${newest}`).digest("hex")
      assert.strictEqual(CallbackServer.parameters(request).at(-1)?.[1], control)
      assert.strictEqual(header(request, "webhook-signature").split(" ").length, 4)
      const written = { ...request, target: `/callback?${new URLSearchParams(request.target.split("?")[1])}` }
      assert.notStrictEqual(written.target, request.target)
      for (const each of [request, written])
        for (const key of [newest, controlKey]) assert.strictEqual(webhookOf(each, key), true)
      assert.strictEqual((yield* verify(written, newest)).orderid, orderid)
    }).pipe(Effect.provide(TestGateway.layer({ merchants }), { local: true }))
  })
})
