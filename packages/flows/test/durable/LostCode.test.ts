/** Tests that a creation that lost its security code continues as it started, after each of its pauses. */
import { generateKeyPairSync } from "node:crypto"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as PayClient from "@pay/transport/PayClient"
import * as Wire from "@pay/transport/Wire"
import { Effect, Layer, Redacted } from "effect"
import { temporaryFolder } from "../../../sqlite/test/TemporaryFolder.ts"
import * as CustomerBrowser from "../../src/browser/CustomerBrowser.ts"
import * as Cipher from "../../src/durable/Cipher.ts"
import * as Durable from "../../src/durable/Durable.ts"
import * as FlowPayload from "../../src/engine/FlowPayload.ts"
import { Subscribe } from "../../src/payments/Subscription.ts"
import { key } from "./Fixture.ts"
import * as VirtualTime from "./VirtualTime.ts"

const { CREATE_RP_V4 } = PayApi.operations

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" }
})

const lost = Effect.fail(new Wire.WireError({ reason: "Lost", code: "ECONNRESET" }))

/** Creates the order, loses the answer, and shows the order without its recurring payment. Loses the answers to some status calls. */
const silentGateway = (unanswered: ReadonlySet<number>) => {
  const creations: Array<string> = []
  let questions = 0
  const answer = ({ body, url }: Wire.WireRequest): Effect.Effect<Wire.WireAnswer, Wire.WireError> =>
    Effect.suspend(() => {
      const reply = (status: number, json: object) =>
        Effect.succeed({ status, headers: {}, body: JSON.stringify(json) })
      if (!url.includes("/status/")) {
        creations.push(new URLSearchParams(body).get("cvv2") ?? "none")
        return lost
      }
      questions += 1
      if (unanswered.has(questions)) return lost
      const about = { "merchant-order-id": "o-1", "serial-number": `00000000-0000-0000-0000-${questions}` }
      return creations.length === 0
        ? reply(400, { "error-message": "Unknown order", ...about })
        : reply(200, { type: "status-response", "paynet-order-id": "7", status: "approved", ...about })
    })
  return { answer, creations }
}

const ended = (unanswered: ReadonlySet<number>) =>
  Effect.gen(function* () {
    const gateway = silentGateway(unanswered)
    const folder = yield* temporaryFolder
    const client = PayClient.layerNoDeps({
      ...{ baseUrl: "http://localhost", login: "shop", controlKey: Redacted.make("key"), endpointId: "1" },
      privateKey: Redacted.make(privateKey)
    })
    const cipher = yield* Cipher.make({ key })
    const engine = Subscribe.layer.pipe(Layer.provideMerge(Durable.layer({ path: join(folder, "flows.db"), cipher })))
    const layer = Layer.provideMerge(engine, [
      Layer.provide(client, Wire.layerInProcess(gateway.answer)),
      CustomerBrowser.layerNone
    ])
    const fields = { ...Sample.request(CREATE_RP_V4), client_orderid: "o-1", cvv2: "987" }
    const payload = yield* Effect.orDie(Effect.fromResult(FlowPayload.decode(Subscribe, fields)))
    const flowStatus = yield* Effect.gen(function* () {
      yield* Subscribe.start(payload)
      return yield* Subscribe.ended("o-1")
    }).pipe(Effect.provide(layer), VirtualTime.make().run)
    return { creations: gateway.creations, flowStatus }
  })

describe("a durable subscription that is found without its number", () => {
  // The first status call precedes the creation; then each turn makes one call, and another before it would send.
  it.effect.each(["none", "2", "4", "6", "2, 4, 6"])(
    "ends as StillUnknown if these status calls are lost: %s",
    (questions) =>
      Effect.gen(function* () {
        const { creations, flowStatus } = yield* ended(new Set(questions.split(", ").map(Number)))
        assert.deepStrictEqual(creations, ["987"])
        assert(flowStatus._tag === "Failed", JSON.stringify(flowStatus))
        assert.strictEqual(flowStatus.error._tag, "StillUnknown")
      })
  )
})
