/** Tests the verification of callbacks, as each kind of web server passes them, and of forged ones. */
import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { CallbackRefusedError, Pay, type ReceivedRequest } from "../src/main.ts"
import { payment } from "./Samples.ts"

const controlKey = "5A4DB0C5-91F0-4D7C-9A3B-1E6C0F2D7B48"
const pay = Pay.client({ baseUrl: "https://gateway.example", login: "shop", controlKey })

const control = (key: string) => createHash("sha1").update(`approved7INV-1${key}`).digest("hex")
const query = (key = controlKey) =>
  `?status=approved&orderid=7&client_orderid=INV-1&merchant_order=INV-1&type=sale&amount=10.42&control=${control(key)}`

describe("the verification of a callback", () => {
  const rows: ReadonlyArray<readonly [server: string, request: ReceivedRequest | string]> = [
    ["an address", `/callback${query()}`],
    ["a request of Node", { method: "GET", url: `/callback${query()}`, headers: { host: "shop.example" } }],
    [
      "a request of Express inside a router",
      { url: `/${query()}`, originalUrl: `/pay/callback${query()}`, headers: {} }
    ],
    ["a Request of the web", new Request(`https://shop.example/callback${query()}`)]
  ]
  it.each(rows)("returns the order: %s", (_, request) =>
    assert.deepStrictEqual(pay.callbacks.verify(request), { clientOrderId: "INV-1" })
  )

  const refused: ReadonlyArray<readonly [what: string, request: ReceivedRequest | string, reason: string]> = [
    ["another key", query("another"), "Forged"],
    ["another order", query().replaceAll("INV-1", "INV-2"), "Forged"],
    ["no control", "/callback?status=approved", "Malformed"],
    ["no query", "", "Malformed"],
    ["an incomplete webhook signature", { url: query(), headers: { "webhook-id": "1" } }, "Unsigned"]
  ]
  it.each(refused)("refuses a callback with %s", (_, request, reason) => {
    const thrown = caught(() => pay.callbacks.verify(request))
    assert(thrown instanceof CallbackRefusedError)
    assert.include(thrown.message, reason)
  })

  it("is possible for each address that a payment accepts: others are refused before a request", async () => {
    const addresses = ["?status=x", "?Client.OrderId=x", "?x=%zz"].map(
      (query) => `https://shop.example/callback${query}`
    )
    for (const serverCallbackUrl of addresses) {
      const { error } = await pay.cardSale({ ...payment(), serverCallbackUrl })
      assert.strictEqual(error?.code, "InvalidInput")
      assert.include(error?.message, "serverCallbackUrl")
    }
  })

  it("accepts the previous control key during a key rotation", () => {
    let key = "new"
    const changing = Pay.client({
      baseUrl: "https://gateway.example",
      login: "shop",
      controlKey: () => key,
      previousControlKey: controlKey
    })
    assert.strictEqual(changing.callbacks.verify(query("new")).clientOrderId, "INV-1")
    assert.strictEqual(changing.callbacks.verify(query()).clientOrderId, "INV-1")
    key = "newest"
    assert.strictEqual(changing.callbacks.verify(query("newest")).clientOrderId, "INV-1")
    assert(caught(() => changing.callbacks.verify(query("new"))) instanceof CallbackRefusedError)
  })
})

const caught = (effect: () => unknown): unknown => {
  try {
    return effect()
  } catch (error) {
    return error
  }
}
