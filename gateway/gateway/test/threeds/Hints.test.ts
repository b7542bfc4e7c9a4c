/** Hints that test security codes give a simulated issuer. No other 3-D Secure server gets them. */

import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import { Store } from "../../src/kernel/Store.ts"
import { Cvv } from "../../src/orders/record/Card.ts"
import type { Hint } from "../../src/threeds/ThreeDSServer.ts"
import * as ScriptedGateway from "./ScriptedGateway.ts"

const hints: ReadonlyMap<string, Hint> = new Map([
  ["321", "challenge"],
  ["111", "none"]
])

interface Case {
  readonly cvv2: string
  readonly hint: Hint | undefined
  readonly hints?: ReadonlyMap<string, Hint>
  readonly production?: boolean
}

const cases: ReadonlyArray<readonly [what: string, Case]> = [
  ["is sent for the listed code 321", { cvv2: "321", hints, hint: "challenge" }],
  ["is sent for the listed code 111", { cvv2: "111", hints, hint: "none" }],
  ["is not sent for the unlisted code 123", { cvv2: "123", hints, hint: undefined }],
  ["is not sent to a server that lists no codes", { cvv2: "111", hint: undefined }],
  ["is not sent in production", { cvv2: "111", hints, production: true, hint: undefined }]
]

describe("a test security code's hint to a simulated issuer", () => {
  for (const mode of ["gateway", "merchant"] as const) {
    it.effect.each(cases)(`%s, in ${mode} mode`, ([, { cvv2, hint, hints, production = false }]) => {
      const scripted = ScriptedGateway.make({ hints })
      return Effect.gen(function* () {
        yield* ScriptedGateway.sale(ScriptedGateway.endpoints[mode], { cvv2 })
        const [lookup, ...more] = scripted.issuer.lookups
        assert.isDefined(lookup)
        assert.lengthOf(more, 0)
        assert.strictEqual(lookup.hint, hint)
        assert.strictEqual("hint" in lookup, hint !== undefined)
        assert.notMatch(inspect([lookup, scripted.issuer.requests]), new RegExp(`\\b${cvv2}\\b`), "the code itself")
      }).pipe(Effect.provide(ScriptedGateway.layer(scripted, { production })))
    })
  }

  it.effect("is left out if the code cannot be decrypted, and the look-up continues", () => {
    const scripted = ScriptedGateway.make({ hints })
    return Effect.gen(function* () {
      const store = yield* Store
      const { body } = yield* ScriptedGateway.post(
        ScriptedGateway.SALE,
        ScriptedGateway.saleFields({ cvv2: "111" }),
        ScriptedGateway.endpoints.gateway
      )
      const lost: Cvv = { cardId: String(body["paynet-order-id"]), encryptedCvv: new Uint8Array(64), createdAtMs: 0 }
      yield* store.commit({ guards: [], writes: [Decision.put(Cvv, lost)] })
      yield* ScriptedGateway.settle
      assert.lengthOf(scripted.issuer.lookups, 1)
      assert.isUndefined(scripted.issuer.lookups[0]?.hint)
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })
})
