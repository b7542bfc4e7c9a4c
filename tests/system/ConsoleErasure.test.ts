import { assert, layer } from "@effect/vitest"
import { Order } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { Effect, Redacted } from "effect"
import * as ConsoleBrowser from "../harness/ConsoleBrowser.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const roles = { ben: ["support"], eve: [] } as const
const operators = Object.entries(roles).map(([name, own]) => ({
  name,
  roles: own,
  token: Redacted.make(`the token of ${name}`)
}))

const signedIn = Effect.fnUntraced(function* (name: keyof typeof roles) {
  const browser = yield* ConsoleBrowser.open()
  yield* browser.signIn(`the token of ${name}`)
  return browser
})

layer(TestGateway.layer({ operators }), { excludeTestServices: true })("the console", (it) => {
  it.effect("erases everything of a customer, says what is left and why, and only for who may", () =>
    Effect.gen(function* () {
      const email = "gone@shop.example"
      const [gone, lost] = [
        yield* TestMerchant.order("SALE", { email }),
        yield* TestMerchant.order("SALE", { email, cvv2: "217" })
      ]
      yield* TestMerchant.settled
      const emails = Effect.flatMap(Store, (rows) =>
        Effect.forEach([gone, lost], ({ orderid }) => Effect.map(rows.load(Order, [orderid]), (row) => row?.email))
      )
      const [ben, eve] = [yield* signedIn("ben"), yield* signedIn("eve")]
      const [page, theirs] = [yield* ben.get("/console/orders"), yield* eve.get("/console/orders")]
      const fields = { email, confirm: email, merchant: "" }
      const wrong = yield* ben.submit(page, "customers/erase", { ...fields, confirm: "one@shop.example" })
      assert.strictEqual(wrong.status, 400)
      assert.notInclude(theirs.text, "customers/erase")
      const [, formToken = ""] = /name="formToken" value="([^"]+)"/.exec(theirs.text) ?? []
      assert.strictEqual((yield* eve.post("/console/customers/erase", { ...fields, formToken })).status, 403)
      assert.deepStrictEqual(yield* emails, [email, email])
      const { status, text } = yield* ben.submit(page, "customers/erase", fields)
      assert.deepStrictEqual([status, text.includes("Orders erased so far: 1.")], [200, true])
      assert.include(text, `<code>${lost.orderid}</code>`)
      assert.include(text, "is under way and may need what would be erased")
      assert.deepStrictEqual(yield* emails, ["", email])
    })
  )
})
