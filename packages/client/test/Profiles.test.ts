/** Tests the client in the older dialect, at a gateway that supports both dialects. */
import { once } from "node:events"
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { olderMerchant } from "@pay/sandbox/Sandbox"
import { type Client, type ClientOptions, InvalidSettingError, Pay, type Profile } from "../src/main.ts"
import { type Gateway, start } from "./Gateway.ts"
import { card, customer, freshId, payment } from "./Samples.ts"

let gateway: Gateway
let json: Client
let older: Client
beforeAll(async () => {
  gateway = await start()
  const { controlKey, endpoints, login, privateKeyPem: privateKey } = olderMerchant
  const settings = { login, controlKey, privateKey, endpointId: endpoints.usd }
  json = gateway.client(settings)
  older = gateway.client({ ...settings, profile: "pairs" })
})
afterAll(() => gateway.close())

/** Returns the status of an order from both clients. */
const statusesOf = (clientOrderId: string) =>
  Promise.all(
    [json, older].map(async (pay) => {
      const status = await pay.status(clientOrderId)
      assert(status.ok, status.error?.message)
      return status.order
    })
  )

describe("the client in the older dialect", () => {
  it("returns the same values of an order as in JSON", async () => {
    const declined = { ...payment(), card: { ...card, cvv: "116" } }
    for (const fields of [payment(), declined]) {
      await older.cardSale(fields)
      const [one, other] = await statusesOf(fields.clientOrderId)
      assert.deepStrictEqual(one, other)
      assert.strictEqual(one?.status, fields === declined ? "declined" : "approved")
    }
  })

  it("returns the same values while 3-D Secure waits", async () => {
    const { clientOrderId, ...fields } = payment()
    const made = await older.api.sale(
      { ...fields, clientOrderId, orderDesc: "Two tickets", redirectUrl: "https://shop.example/back" },
      { endpointId: olderMerchant.endpoints.threedsGateway }
    )
    assert(made.ok, made.error?.message)
    const named = { clientOrderId, orderId: made.answer.paynetOrderId }
    const [one, other] = await Promise.all([json.api.status(named), older.api.status(named)])
    assert(one.ok && other.ok)
    const { html, serialNumber: _, ...same } = other.answer
    const { serialNumber: __, ...expected } = one.answer
    assert.deepStrictEqual(same, expected)
    assert.include(html, String(same.redirectTo))
  })

  it("returns the same values of a card", async () => {
    const checked = await older.verifyCard({ clientOrderId: freshId(), card, customer })
    assert(checked.ok, checked.error?.message)
    const stored = await older.storeCard(checked.order)
    assert(stored.ok, stored.error?.message)
    const { cardRefId } = stored
    assert.isAtMost(Number(cardRefId), 2_147_483_647)
    const cards = await Promise.all([json, older].map((pay) => pay.api.cardinfo({ cardRefId })))
    const [one, other] = cards.map((result) => result.ok && { ...result.answer, serialNumber: "" })
    assert(one)
    assert.deepStrictEqual(one, other)
  })

  it("reports the same reason of a refusal", async () => {
    const [one, other] = await Promise.all([json, older].map((pay) => pay.status("no such order")))
    assert(one?.ok === false && other?.ok === false)
    assert.deepStrictEqual(
      [one.error.code, one.error.errorCode, one.error.message.replace("404", "400")],
      [other.error.code, other.error.errorCode, other.error.message]
    )
  })

  it("watches an order until it is final", async () => {
    const sale = payment()
    const made = await older.cardSale(sale)
    assert(made.ok, made.error?.message)
    const watched: Array<string> = []
    for await (const { status } of older.watch(sale.clientOrderId)) watched.push(status)
    assert.deepStrictEqual(watched, ["approved"])
  })

  it("verifies callbacks", async () => {
    const arrived: Array<string> = []
    const server = createServer((request, response) => {
      arrived.push(older.callbacks.verify(request).clientOrderId)
      response.end("OK")
    }).listen(0, "127.0.0.1")
    await once(server, "listening")
    const address = server.address()
    const port = typeof address === "object" ? address?.port : 0
    const sale = { ...payment(), serverCallbackUrl: `http://127.0.0.1:${port}/callback?shop=1` }
    const made = await older.cardSale(sale)
    assert(made.ok, made.error?.message)
    if (arrived.length === 0) await once(server, "request")
    server.close()
    assert.deepStrictEqual(new Set(arrived), new Set([sale.clientOrderId]))
  })
})

/** The gateway behind a server that renames a status and a field of its answers. */
const respelled = async () => {
  const sent: Array<string> = []
  const server = createServer(async (request, response) => {
    sent.push(request.url ?? "")
    const answer = await fetch(`${gateway.baseUrl}${request.url}`, {
      method: "POST",
      headers: { accept: String(request.headers.accept), "content-type": String(request.headers["content-type"]) },
      body: await text(request)
    })
    const body = (await answer.text())
      .replaceAll('"approved"', '"authorised"')
      .replaceAll("paynet-order-id", "order-id")
    response.writeHead(answer.status, { "content-type": "application/vnd.pay+json" }).end(body)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const baseUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`
  return { sent, baseUrl, close: () => server.close() }
}

describe("a profile that is a value", () => {
  const spelled: Profile = { statuses: { authorised: "approved" }, names: { "order-id": "paynet-order-id" } }

  it("maps other statuses and field names of answers", async () => {
    const { baseUrl, close } = await respelled()
    const sale = payment()
    const made = await gateway.client({ baseUrl, profile: spelled }).cardSale(sale)
    assert(made.ok, made.error?.message)
    assert.match(made.order.orderId, /^\d+$/)
    const plain = await gateway.client({ baseUrl }).status(sale.clientOrderId)
    close()
    assert(plain.ok === false || plain.order.status === "authorised")
  })

  it("refuses operations that the gateway lacks, and selects the signature recipe", async () => {
    const { baseUrl, close, sent } = await respelled()
    const profile: Profile = { ...spelled, lacks: ["CAPTURE"], recipes: { VOID: ["login", "client_orderid"] } }
    const pay = gateway.client({ baseUrl, profile })
    const made = await pay.authorize(payment())
    assert(made.ok, made.error?.message)
    const { clientOrderId, orderId } = made.order
    sent.length = 0
    const captured = await pay.api.capture({ clientOrderId, orderId })
    assert.deepStrictEqual([captured.error?.code, sent], ["InvalidInput", []])
    const voided = await pay.api.void({ clientOrderId, orderId })
    assert.deepStrictEqual([voided.error?.code, voided.error?.errorCode], ["Refused", 40])
    const right = await gateway.client({ baseUrl, profile: spelled }).api.void({ clientOrderId, orderId })
    close()
    assert(right.ok, right.error?.message)
  })

  it("may extend a public dialect", async () => {
    const { controlKey, endpoints, login } = olderMerchant
    const profile: Profile = { ...Pay.profiles.pairs, lacks: ["PAYOUT_V4"] }
    const pay = gateway.client({ login, controlKey, endpointId: `group/${endpoints.group}`, profile })
    const made = await pay.cardSale(payment())
    assert(made.ok, made.error?.message)
    assert.isAtMost(Number(made.order.orderId), 2_147_483_647)
  })
})

describe("the setting profile", () => {
  const options = { baseUrl: "https://gateway.example", login: "m", controlKey: "k" }
  it.each([
    ["paynett", "profile has an unknown word: paynett."],
    ["paynet, checkout", "profile has an unknown word: checkout."]
  ])("refuses the text %s", (profile, message) => {
    assert.throws(() => Pay.client({ ...options, profile }), InvalidSettingError, message)
  })

  it("refuses a base address that already ends with the profile's path", () => {
    assert.throws(
      () => Pay.client({ ...options, baseUrl: "https://gateway.example/paynet/", profile: "paynet" }),
      InvalidSettingError,
      "baseUrl must not end with /paynet: the profile adds it."
    )
  })

  /** Profiles as plain JavaScript may pass them. */
  const wrong: ReadonlyArray<readonly [object | null, string]> = [
    [{ status: {} }, "profile has the unknown setting status."],
    [{ pathPrefix: 7 }, "profile has an invalid pathPrefix."],
    [{ answers: "xml" }, "profile has answers of an unknown dialect: xml."],
    [
      { statuses: { ok: "fine" } },
      "profile has statuses that lead to fine, which is not a status of the specification."
    ],
    [{ names: { id: 7 } }, "profile has names with a value of id that is not text."],
    [{ lacks: ["capture"] }, "profile lacks capture, which is not an operation of the contract."],
    [{ recipes: { PAYOUT: ["login"] } }, "profile has recipes of PAYOUT, which has no recipe that can be changed."],
    [{ recipes: { VOID: ["order"] } }, "profile has recipes of VOID with order, which is not a field of VOID."],
    [{ recipes: { VOID: "login" } }, "profile has recipes of VOID, which has no recipe that can be changed."],
    [null, "profile must be text, or a profile."]
  ]
  it.each(wrong)("refuses the value %j", (profile, message) => {
    const given: ClientOptions = JSON.parse(JSON.stringify({ ...options, profile }))
    assert.throws(() => Pay.client(given), InvalidSettingError, message)
  })

  it("is read from PAY_GATEWAY_PROFILE", () => {
    const environment = { ...process.env }
    Object.assign(process.env, {
      PAY_BASE_URL: "https://gateway.example/paynet",
      PAY_LOGIN: "m",
      PAY_CONTROL_KEY: "k",
      PAY_GATEWAY_PROFILE: "paynet"
    })
    try {
      assert.throws(() => Pay.fromEnv(), InvalidSettingError, "must not end with /paynet")
    } finally {
      process.env = environment
    }
  })
})
