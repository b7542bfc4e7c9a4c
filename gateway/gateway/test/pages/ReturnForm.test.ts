/** The form that returns the browser to the shop says what the callback says. */
import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect } from "effect"
import * as ScriptedGateway from "../threeds/ScriptedGateway.ts"
import { visit } from "./TestBrowser.ts"

const { SALEFORM } = PayApi.operations

const card = { number: "4444333322221111", expiry: "12/30", code: "123", holder: "Jane Doe", action: "pay" }

/** Opens a hosted page, submits the entry, and returns the fields of the return and of the callback. */
const returned = Effect.fnUntraced(function* (
  scripted: ScriptedGateway.ScriptedGateway,
  entry: Readonly<Record<string, string>>
) {
  const { body } = yield* ScriptedGateway.post(
    SALEFORM,
    {
      ...Sample.request(SALEFORM),
      client_orderid: "sale-1",
      redirect_url: ScriptedGateway.returnUrl,
      server_callback_url: "https://shop.example/callback"
    },
    ScriptedGateway.endpoints.off
  )
  const page = yield* visit(String(body["redirect-url"]), { ...entry, attempts: "0" })
  assert.lengthOf(scripted.callbacks, 1)
  return { form: page.hidden, callback: Object.fromEntries(new URL(scripted.callbacks[0] ?? "").searchParams) }
})

describe("the return of the browser", () => {
  it.effect(
    "has the parameters of the callback of an approved payment, those that public samples read among them",
    () => {
      const scripted = ScriptedGateway.make()
      return Effect.gen(function* () {
        const { callback, form } = yield* returned(scripted, card)
        assert.deepStrictEqual(form, callback)
        assert.deepInclude(form, {
          status: "approved",
          client_orderid: "sale-1",
          merchant_order: "sale-1",
          type: "sale",
          currency: "USD",
          bin: "444433",
          "last-four-digits": "1111",
          "card-type": "VISA",
          "processor-tx-id": "PNTEST-1",
          "approval-code": "012345"
        })
        assert.match(form.control ?? "", /^[0-9a-f]{40}$/)
        assert.isAbove(Number(form.amount), 0)
      }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
    }
  )

  it.effect("has those of a payment that the customer cancelled, and no empty ones", () => {
    const scripted = ScriptedGateway.make()
    return Effect.gen(function* () {
      const { callback, form } = yield* returned(scripted, { action: "cancel" })
      assert.deepStrictEqual(form, callback)
      assert.deepInclude(form, { status: "declined", error_code: "99", type: "sale" })
      assert.notInclude(Object.values(form), "")
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })
})
