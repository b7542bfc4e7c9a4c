import { readFile } from "node:fs/promises"
import { assert, layer } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect, Schema } from "effect"
import * as OAuth from "./OAuth.ts"
import * as Play from "./Play.ts"
import * as TestGateway from "./TestGateway.ts"

const Names = Schema.fromJsonString(Schema.Array(Schema.String))
const documented = Effect.map(
  Effect.promise(() => readFile(new URL("../../docs/served.json", import.meta.url), "utf8")),
  Schema.decodeUnknownSync(Names)
)

const { login } = TestGateway

/** The operation with plausible fields, signed as it wants to be. */
const sendSample = (operation: (typeof PayApi.all)[number]) => {
  if (operation.signing._tag === "OAuth") return OAuth.send(operation)
  const fresh: Play.Fields = { login, client_orderid: Play.freshId(), "client-order-id": Play.freshId() }
  const fields = Object.entries(Sample.request(operation)).map(([name, value]) => [name, fresh[name] ?? value])
  return TestGateway.post(operation, Object.fromEntries(fields))
}

layer(TestGateway.layer(), { excludeTestServices: true })("every operation of the contract", (it) => {
  for (const operation of PayApi.all) {
    it.effect(
      `${operation.name}: served if the documents say so, else not enabled, and only with the right signature`,
      () =>
        Effect.gen(function* () {
          const served = (yield* documented).includes(operation.name)
          const reply = yield* sendSample(operation)
          if (!served) Play.assertRefused(reply, "operationNotEnabled")
          else if ("cardrefid" in operation.fields) Play.assertRefused(reply, "cardNotFound")
          else if (operation.acts === "creates") Play.assertAccepted(reply)
          else Play.assertRefused(reply, "orderNotFound")
          const unsigned = yield* TestGateway.raw({ path: `${operation.path}/${TestGateway.endpoints.usd}`, body: "" })
          Play.assertRefused(
            unsigned,
            operation.signing._tag === "OAuth" ? "oauthSignatureInvalid" : "authenticationFailed"
          )
        })
    )
  }

  it.effect("is known to the documents by its name", () =>
    Effect.gen(function* () {
      const known = PayApi.all.map(({ name }) => name)
      for (const name of yield* documented) assert.include(known, name)
    })
  )
})
