/**
 * A merchant's module as deployed ones are: it knows the wire only. It sends no `Accept`, signs with `node:crypto`, splits the
 * answer at `&` and decodes it like a form. Nothing of the product reads or writes what it exchanges.
 */
import { createHash, createHmac, createSign, randomBytes } from "node:crypto"
import { assert } from "@effect/vitest"
import { NodeServer } from "@pay/gateway/NodeServer"
import * as Sandbox from "@pay/server/Sandbox"
import { Effect } from "effect"
import * as Http from "../harness/Http.ts"
import * as TestGateway from "../harness/TestGateway.ts"

export const { controlKey, endpoints, login, privateKeyPem } = Sandbox.olderMerchant

/** Deployed modules hard-code this path. */
export const publicBaseUrl = "https://pay.example/paynet"

/** A gateway under the address that these modules know. */
export const gateway = TestGateway.layer({ settings: { publicBaseUrl } })

export type Fields = Readonly<Record<string, string>>

export interface Reply {
  readonly status: number
  readonly contentType: string
  readonly text: string
  readonly fields: Fields
}

let count = 0
/** A number of the shop's own, never used before. */
export const freshId = (): string => {
  count += 1
  return `shop-${count}`
}

export const sha1 = (...parts: ReadonlyArray<string>): string => createHash("sha1").update(parts.join("")).digest("hex")

const isPairs = (contentType: string): boolean => contentType === "text/html;charset=utf-8"

/** What PHP's `parse_str` makes of a body. */
export const parse = (text: string): Fields =>
  Object.fromEntries(
    text.split("&").map((pair) => {
      const [name = "", value = ""] = pair
        .split("=")
        .map((part) => decodeURIComponent(part.replaceAll("+", " ")).trim())
      return [name, value]
    })
  )

/** The fields in which answers name orders and cards. */
const numbered = /"?(paynet-order-id|card-ref-id|payout-id|transaction-id|recurring-payment-id)"?(?:=|":")(\d+)/g

/** Five public modules clamp or refuse a number beyond a signed integer of 32 bits. */
const assertFits = (text: string): void => {
  for (const [field, , number] of text.matchAll(numbered)) {
    assert.isAtLeast(Number(number), 1, field)
    assert.isAtMost(Number(number), 2_147_483_647, field)
  }
}

/** Sends exactly this. */
export const raw = (path: string, { body = "", headers = Http.form, method = "POST" }: Http.Request) =>
  Effect.gen(function* () {
    const { host, port } = yield* NodeServer
    const sent = { method, headers, body: method === "GET" ? undefined : body }
    const answer = yield* Http.send(`http://${host}:${port}${path}`, sent)
    const { status, text } = answer
    const contentType = String(answer.headers["content-type"])
    assertFits(text)
    return { status, contentType, text, fields: isPairs(contentType) ? parse(text) : {} } satisfies Reply
  })

/** A form below `/paynet/api/v2/`, as PHP's `http_build_query` writes it. */
export const post = (path: string, fields: Fields) =>
  raw(`/paynet/api/v2/${path}`, { body: new URLSearchParams(fields).toString() })

/** The keys that an answer must have, each with a value. */
export const assertHas = (reply: Reply, type: string, ...names: ReadonlyArray<string>): void => {
  assert.strictEqual(reply.status, 200, reply.text)
  assert.strictEqual(reply.contentType, "text/html;charset=utf-8")
  assert.strictEqual(reply.fields.type, type, reply.text)
  for (const name of ["serial-number", ...names]) assert.isNotEmpty(reply.fields[name], `${name}: ${reply.text}`)
}

export const assertRefused = (reply: Reply, code: number): void => {
  assertHas(reply, "validation-error", "error-message", "error-code")
  assert.strictEqual(reply.fields["error-code"], String(code), reply.text)
  assert.notProperty(reply.fields, "errors")
}

/** The payer and card of a sale, without `state`, as most modules send them. */
export const payment = (clientOrderId: string, changes: Fields = {}): Fields => ({
  client_orderid: clientOrderId,
  order_desc: "Order of a shop",
  first_name: "John",
  last_name: "Smith",
  ssn: "",
  birthday: "",
  address1: "100 Main st",
  city: "Seattle",
  zip_code: "98102",
  country: "US",
  phone: "+12063582043",
  cell_phone: "",
  email: "john.smith@gmail.com",
  amount: "10.42",
  currency: "USD",
  ipaddress: "65.153.12.232",
  site_url: "https://shop.example",
  credit_card_number: "4444333322221111",
  card_printed_name: "JOHN SMITH",
  expire_month: "12",
  expire_year: "2030",
  cvv2: "123",
  redirect_url: "https://shop.example/back",
  ...changes
})

/** Amount in cents, by text only: no float. */
export const cents = (amount: string): string => {
  const [whole = "", fraction = ""] = amount.split(".")
  return String(Number(whole + fraction.padEnd(2, "0")))
}

/** With the `control` of sale, preauth and the forms. */
export const signedPayment = (endpoint: string, fields: Fields): Fields => {
  const { amount = "", client_orderid = "", email = "" } = fields
  return { ...fields, control: sha1(endpoint, client_orderid, cents(amount), email, controlKey) }
}

/** With the login and the `control` of status, void and create-card-ref. */
export const signedOrder = (client_orderid: string, orderid: string): Fields => ({
  login,
  client_orderid,
  orderid,
  control: sha1(login, client_orderid, orderid, controlKey)
})

/** RFC 3986. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** A request signed with OAuth 1.0a, as tmhOAuth and its like do: over the address that is called, prefix and all. */
export const oauth = (method: "HMAC-SHA1" | "RSA-SHA256", path: string, fields: Fields) => {
  const url = `https://pay.example${path}`
  const parameters: Record<string, string> = {
    oauth_consumer_key: login,
    oauth_nonce: randomBytes(12).toString("hex"),
    oauth_signature_method: method,
    oauth_timestamp: String(Math.floor(Date.now() / 1000)),
    oauth_version: "1.0"
  }
  const joined = Object.entries({ ...fields, ...parameters })
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join("&")
  const base = ["POST", url, joined].map(encode).join("&")
  const signature =
    method === "HMAC-SHA1"
      ? createHmac("sha1", `${encode(controlKey)}&`)
          .update(base)
          .digest("base64")
      : createSign("RSA-SHA256").update(base).sign(privateKeyPem, "base64")
  const header = Object.entries({ ...parameters, oauth_signature: signature })
    .map(([name, value]) => `${name}="${encode(value)}"`)
    .join(", ")
  return raw(path, {
    headers: { ...Http.form, authorization: `OAuth ${header}` },
    body: new URLSearchParams(fields).toString()
  })
}
