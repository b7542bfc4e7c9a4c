/** Signs requests with OAuth by hand, so that a test can get every part of them wrong. */
import { createPrivateKey } from "node:crypto"
import { NodeServer } from "@pay/gateway/NodeServer"
import { AuthClock } from "@pay/gateway/Store"
import type { Operation } from "@pay/schema/Operation"
import * as Sample from "@pay/schema/Sample"
import * as Sandbox from "@pay/server/Sandbox"
import * as Form from "@pay/signing/Form"
import * as OAuth from "@pay/signing/OAuth"
import { Effect } from "effect"
import * as Merchants from "./Merchants.ts"
import * as OtherKeyPair from "./OtherKeyPair.ts"
import * as TestGateway from "./TestGateway.ts"
import { type Fields, freshId } from "./TestMerchant.ts"

export const rsa = OAuth.rsaPrivate(createPrivateKey(Sandbox.merchant.privateKeyPem))
export const hmac = OAuth.hmac(TestGateway.controlKey)

const otherRsa = OAuth.rsaPrivate(createPrivateKey(OtherKeyPair.privateKeyPem))

/** The key with which the merchant signs the operation. */
const keyOf = ({ signing }: Operation, login: string = TestGateway.login): OAuth.SigningKey => {
  if (signing._tag !== "OAuth" || signing.methods[0] !== "RSA-SHA256") return hmac
  return login === Merchants.other.login ? otherRsa : rsa
}

let count = 0
export const freshNonce = (): string => {
  count += 1
  return `nonce-${count}`
}

/** The merchant's own identifier, never used before. */
const freshNames = ({ fields }: Operation): Fields =>
  Object.fromEntries(
    ["client_orderid", "client-order-id"].filter((name) => name in fields).map((name) => [name, freshId()])
  )

export interface Parts {
  readonly key?: OAuth.SigningKey
  readonly login?: string
  readonly nonce?: string
  /** The minimum length of a fresh nonce. */
  readonly nonceLength?: number
  /** How far ahead of the gateway's time. */
  readonly aheadSeconds?: number
  readonly fields?: Fields
  readonly endpointId?: string
  /** Behind the path, signed too. */
  readonly query?: string
  /** Instead of the address that is signed. */
  readonly url?: string
  /** Instead of the operation's path, with a slash at the end. */
  readonly path?: string
  readonly headers?: Fields
  /** After the signing. */
  readonly authorization?: (header: string) => string | undefined
  readonly body?: (form: string) => string
}

/** The operation's sample, under a name of its own, with what `parts` say. */
export const send = (operation: Operation, parts: Parts = {}) => {
  const fresh = operation.acts === "creates" ? freshNames(operation) : {}
  const { login: _, ...sample } = Sample.request(operation)
  const login = "login" in operation.fields ? { login: parts.login ?? TestGateway.login } : {}
  return sendOnly(operation, { ...sample, ...login, ...fresh, ...parts.fields }, parts)
}

/** These fields and no others. */
export const sendOnly = Effect.fnUntraced(function* (operation: Operation, fields: Fields, parts: Parts = {}) {
  const { publicBaseUrl } = yield* NodeServer
  const { nowMs } = yield* AuthClock
  const { authorization = (same) => same, body = (same) => same, endpointId = TestGateway.endpoints.usd } = parts
  const path = `${parts.path ?? `${operation.path}/`}${endpointId}${parts.query ?? ""}`
  const parameters = Object.entries(fields)
  const signed = OAuth.sign(
    {
      method: "POST",
      url: parts.url ?? publicBaseUrl + path,
      consumerKey: parts.login ?? TestGateway.login,
      parameters,
      timestampSeconds: Math.floor(nowMs() / 1000) + (parts.aheadSeconds ?? 0),
      nonce: parts.nonce ?? freshNonce().padEnd(parts.nonceLength ?? 0, "n")
    },
    parts.key ?? keyOf(operation, parts.login)
  )
  const header = authorization(signed.ok ? signed.authorization : "")
  return yield* TestGateway.raw({
    path,
    body: body(Form.write(parameters)),
    headers: {
      ...TestGateway.standardHeaders,
      ...(header === undefined ? {} : { authorization: header }),
      ...parts.headers
    }
  })
})
