/** Tests the verification of callbacks, as each kind of web server passes them, and of forged ones. */
import { createHash, createHmac } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { CallbackRefusedError, InvalidInputError, Pay, type ReceivedRequest } from "../src/main.ts"
import { InvalidSettingError, receiver } from "../src/Receiver.ts"
import { payment } from "./Samples.ts"

const controlKey = "5A4DB0C5-91F0-4D7C-9A3B-1E6C0F2D7B48"
const pay = Pay.client({ baseUrl: "https://gateway.example", login: "shop", controlKey })

const control = (key: string) => createHash("sha1").update(`approved7INV-1${key}`).digest("hex")
const query = (key = controlKey) =>
  `?status=approved&orderid=7&client_orderid=INV-1&merchant_order=INV-1&type=sale&amount=10.42&control=${control(key)}`

const verifiers = { "callbacks of the client": pay.callbacks, "a receiver without a client": receiver({ controlKey }) }

describe.each(Object.entries(verifiers))("the verification of a callback by %s", (_, callbacks) => {
  const rows: ReadonlyArray<readonly [server: string, request: ReceivedRequest | string | URL]> = [
    ["an address", `/callback${query()}`],
    ["a URL", new URL(`https://shop.example/callback${query()}`)],
    ["a URL in a request", { url: new URL(`https://shop.example/callback${query()}`), headers: {} }],
    ["a request of Node", { method: "GET", url: `/callback${query()}`, headers: { host: "shop.example" } }],
    [
      "a request of Express inside a router",
      { url: `/${query()}`, originalUrl: `/pay/callback${query()}`, headers: {} }
    ],
    ["a Request of the web", new Request(`https://shop.example/callback${query()}`)],
    [
      "a GET to which a proxy added the type of a body",
      { method: "GET", url: `/callback${query()}`, headers: { "content-type": "application/json" }, body: {} }
    ]
  ]
  it.each(rows)("returns the order: %s", (_, request) =>
    assert.deepStrictEqual(callbacks.verify(request), { clientOrderId: "INV-1" })
  )

  const refused: ReadonlyArray<readonly [what: string, request: ReceivedRequest | string, reason: string]> = [
    ["another key", query("another"), "Forged"],
    ["another order", query().replaceAll("INV-1", "INV-2"), "Forged"],
    ["no control", "/callback?status=approved", "Malformed"],
    ["no query", "", "Malformed"],
    ["an incomplete webhook signature", { url: query(), headers: { "webhook-id": "1" } }, "Unsigned"]
  ]
  it.each(refused)("refuses a callback with %s", (_, request, reason) => {
    const thrown = caught(() => callbacks.verify(request))
    assert(thrown instanceof CallbackRefusedError)
    assert.include(thrown.message, reason)
  })

  const posted = () => {
    const { search } = new URL(`https://shop.example/${query()}`)
    const body = JSON.stringify(Object.fromEntries(new URLSearchParams(search)))
    const id = "7-1"
    const timestamp = String(Math.floor(Date.now() / 1000))
    const secret = createHmac("sha256", controlKey).update("pay/webhook/v1").digest()
    const signature = createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64")
    const headers = {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": `v1,${signature}`
    }
    return { body, request: { method: "POST", url: "/callback", headers } }
  }
  const { body, request } = posted()
  const bytes = new TextEncoder().encode(body)
  const web = new Request("https://shop.example/callback", { ...request, body })
  const json: ReadonlyArray<readonly [how: string, request: ReceivedRequest, body?: string | Uint8Array]> = [
    ["the second argument", request, body],
    ["the second argument, in bytes", request, bytes],
    ["the second argument beside a Request of the web", web, body],
    ["the body of the request", { ...request, body }],
    ["the body of the request, in bytes", { ...request, body: bytes }],
    ["the raw body beside a parsed one", { ...request, rawBody: Buffer.from(body), body: JSON.parse(body) }]
  ]
  it.each(json.map(([how, received, text]) => ({ how, received, text })))(
    "returns the order of JSON with its text as $how",
    ({ received, text }) =>
      assert.deepStrictEqual(callbacks.verify(received, text), { clientOrderId: "INV-1", webhookId: "7-1" })
  )

  it("refuses JSON that was changed, and says that it needs the text if there is only a parsed body", () => {
    const forged = caught(() => callbacks.verify(request, body.replace("10.42", "99.42")))
    assert(forged instanceof CallbackRefusedError)
    assert.include(forged.message, "Forged")
    const { "content-type": _, ...untyped } = request.headers
    const upper = { ...untyped, "content-type": "Application/JSON" }
    for (const parsed of [
      request,
      { ...request, body: JSON.parse(body) },
      { ...request, headers: upper },
      { ...request, headers: untyped, body: JSON.parse(body) }
    ]) {
      const thrown = caught(() => callbacks.verify(parsed))
      assert(thrown instanceof InvalidInputError)
      assert.include(thrown.message, "await request.text()")
    }
  })
})

describe("callbacks", () => {
  it("is possible for each address that a payment accepts: others are refused before a request", async () => {
    const queries = ["?status=x", "?Client.OrderId=x", "?x=%zz"]
    const others = ["https://@shop.example/", "https://:@shop.example/", "https://shop.example/call back"]
    for (const serverCallbackUrl of [...queries.map((query) => `https://shop.example/callback${query}`), ...others]) {
      const { error } = await pay.cardSale({ ...payment(), serverCallbackUrl })
      assert.strictEqual(error?.code, "InvalidInput")
      assert.include(error?.message, "serverCallbackUrl")
    }
  })

  const key = { current: "new" }
  const rotated = { controlKey: () => key.current, previousControlKey: controlKey }
  it.each([
    ["the client", Pay.client({ baseUrl: "https://gateway.example", login: "shop", ...rotated }).callbacks],
    ["a receiver", receiver(rotated)]
  ])("are accepted with the previous control key during a key rotation, by %s", (_, callbacks) => {
    key.current = "new"
    assert.strictEqual(callbacks.verify(query("new")).clientOrderId, "INV-1")
    assert.strictEqual(callbacks.verify(query()).clientOrderId, "INV-1")
    key.current = "newest"
    assert.strictEqual(callbacks.verify(query("newest")).clientOrderId, "INV-1")
    assert(caught(() => callbacks.verify(query("new"))) instanceof CallbackRefusedError)
  })

  const wrong: ReadonlyArray<readonly [keys: Parameters<typeof receiver>[0], problem: string]> = [
    [{ controlKey: "" }, "controlKey is empty"],
    [{ controlKey: '"key"' }, "controlKey is in quotes"],
    [{ controlKey: "-----BEGIN PRIVATE KEY-----" }, "controlKey is PEM"],
    [{ controlKey, previousControlKey: "a\nb" }, "previousControlKey contains a line feed"]
  ]
  it.each(wrong)("have a receiver only with right keys: %j", (keys, problem) => {
    const thrown = caught(() => receiver(keys))
    assert(thrown instanceof InvalidSettingError)
    assert.include(thrown.message, problem)
  })
})

const caught = (effect: () => unknown): unknown => {
  try {
    return effect()
  } catch (error) {
    return error
  }
}
