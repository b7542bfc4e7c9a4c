/** The merchant of these tests. */
import { generateKeyPairSync } from "node:crypto"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect, Layer, Redacted, Result } from "effect"
import * as PayClient from "../src/PayClient.ts"
import * as Wire from "../src/Wire.ts"

export const login = "merchantlogin"
export const controlKey = "B17F59B4-A7DC-41B4-8FF9-37D986B43D20"
export const keys = generateKeyPairSync("rsa", { modulusLength: 2048 })
export const privatePem = keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString()

export const options: PayClient.Options = {
  baseUrl: "http://127.0.0.1:1/paynet",
  endpointId: "1111",
  login,
  controlKey: Redacted.make(controlKey),
  privateKey: Redacted.make(privatePem)
}

export const pan = "4444333322221111"
export const cvv = "123"

const { SALE } = PayApi.operations
export const sale = Result.getOrThrow(SALE.decodeFields({ ...Sample.request(SALE), client_orderid: "902B4FF5" }))

export const capture = { client_orderid: "902B4FF5", orderid: "6768788" }

export const accepted = {
  type: "async-response",
  "serial-number": "00000000-0000-0000-0000-0000005b2a8a",
  "merchant-order-id": "902B4FF5",
  "paynet-order-id": "6768788",
  "end-point-id": "1111"
}

export const refusal = {
  type: "validation-error",
  "serial-number": "00000000-0000-0000-0000-0000005b2a8b",
  "error-code": "1",
  "error-message": "Parameter email is required",
  errors: [{ field: "email", code: "1", message: "Parameter email is required" }]
}

export const answer = (status: number, body: unknown, headers: Wire.WireAnswer["headers"] = {}): Wire.WireAnswer => ({
  status,
  headers,
  body: typeof body === "string" ? body : JSON.stringify(body)
})

let answers = 0
/** Returns the body as the answer to another request, with a `serial-number` of its own. */
export const renumbered = (body: string): string => {
  answers += 1
  return body.replace(/"serial-number":"[^"]*"/, `"serial-number":"${answers}"`)
}

type Handler = (request: Wire.WireRequest) => Effect.Effect<Wire.WireAnswer, Wire.WireError>

/** A client whose gateway is a function. */
export const inProcess = (handler: Handler, use: PayClient.Options = options) =>
  Layer.provide(PayClient.layerNoDeps(use), Wire.layerInProcess(handler))

/** A client and every request that its gateway, which accepts all of them, has seen. */
export const recording = (use?: PayClient.Options) => {
  const requests: Array<Wire.WireRequest> = []
  const accept = (request: Wire.WireRequest) =>
    Effect.sync(() => {
      requests.push(request)
      return answer(200, renumbered(JSON.stringify(accepted)))
    })
  return { requests, layer: inProcess(accept, use) }
}

export const unreachable = new Wire.WireError({ reason: "NotSent", code: "ECONNREFUSED" })
export const lost = new Wire.WireError({ reason: "Lost", code: "ECONNRESET" })

/** A client whose gateway gives these outcomes in order, then repeats the last one; and the requests that it received. */
export const playing = (...outcomes: ReadonlyArray<Wire.WireAnswer | Wire.WireError>) => {
  const values: Array<Wire.WireRequest> = []
  const handler = (request: Wire.WireRequest) =>
    Effect.suspend(() => {
      const outcome = outcomes[Math.min(values.push(request), outcomes.length) - 1] ?? lost
      return outcome instanceof Wire.WireError ? Effect.fail(outcome) : Effect.succeed(outcome)
    })
  return { values, layer: inProcess(handler) }
}

/** Runs a forked call up to its first wait. */
export const now = { startImmediately: true }
