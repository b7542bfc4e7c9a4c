/** The two-step sign-in of operators, on the command line's interface and on the console. */
import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as Authenticator from "../harness/Authenticator.ts"
import * as ConsoleBrowser from "../harness/ConsoleBrowser.ts"
import * as Http from "../harness/Http.ts"
import { as } from "../harness/Operating.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const operators = ["ada", "zoe"].map((name) => ({ name, token: Redacted.make(`the token of ${name}`) }))
const [ada, zoe] = [as("the token of ada"), as("the token of zoe")]

/** Asks as ada with a code. */
const withCode = Effect.fnUntraced(function* (code: string, path: string, sent: object) {
  const { operatorUrl } = yield* ConsoleBrowser.address
  return yield* Http.send(operatorUrl + path, {
    method: "POST",
    headers: { authorization: "Bearer the token of ada", "x-pay-operator-code": code },
    body: JSON.stringify(sent)
  })
})

const reload = "/operator/merchants/reload"

const auditOfAda = Effect.gen(function* () {
  const { body } = yield* zoe("GET", "/operator/audit?subject=operator:ada")
  assert(Array.isArray(body.entries))
  return body.entries.map(({ action, outcome }) => `${action} ${outcome}`)
})

layer(TestGateway.layer({ operators }), { excludeTestServices: true })("a two-step sign-in", (it) => {
  it.effect("leaves a token without a code only the right to look, until an admin removes it", () =>
    Effect.gen(function* () {
      const { orderid } = yield* TestMerchant.order("SALE")
      assert.strictEqual((yield* ada("POST", "/operator/verify", { code: "000000" })).status, 409, "not enrolled")
      const enrolled = yield* ada("POST", "/operator/enrol", {})
      assert.strictEqual(enrolled.status, 201)
      assert.notStrictEqual((yield* ada("POST", reload, {})).status, 403, "an enrolment requires nothing yet")
      const secret = String((yield* ada("POST", "/operator/enrol", {})).body.secret)
      assert.notStrictEqual(secret, enrolled.body.secret)
      const first = Authenticator.code(secret)
      assert.strictEqual((yield* ada("POST", "/operator/verify", { code: first })).status, 200)

      assert.strictEqual((yield* ada("GET", `/operator/orders/${orderid}`)).status, 200)
      for (const [path, sent] of [
        [reload, {}],
        ["/operator/token", {}],
        ["/operator/enrol", {}]
      ] as const) {
        const { status, text } = yield* ada("POST", path, sent)
        assert.deepStrictEqual([status, text.includes("--operator-code")], [403, true], path)
      }
      assert.strictEqual((yield* withCode(first, reload, {})).status, 401, "the code was accepted before")

      const browser = yield* ConsoleBrowser.open()
      const codePage = yield* browser.signIn("the token of ada")
      assert.strictEqual(codePage.path, "/console/code?to=")
      const looking = yield* browser.get(`/console/orders/${orderid}`)
      assert.notInclude(looking.text, `orders/${orderid}/refund"`)
      assert.include(looking.text, "You may only look: give a code")
      assert.strictEqual((yield* browser.submit(codePage, "code", { code: "abcdef" })).status, 401)
      const second = Authenticator.code(secret, 1)
      assert.strictEqual((yield* browser.submit(codePage, "code", { code: second })).path, "/console/now")
      const acting = yield* browser.get(`/console/orders/${orderid}`)
      const refunded = yield* browser.submit(acting, `orders/${orderid}/refund`, { comment: "The parcel never came" })
      assert.strictEqual(refunded.path, `/console/orders/${orderid}?done=refund`)

      const other = yield* ConsoleBrowser.open()
      const again = yield* other.signIn("the token of ada")
      assert.strictEqual((yield* other.submit(again, "code", { code: second })).status, 401, "one session only")

      assert.strictEqual((yield* zoe("POST", "/operator/operators/unenrol", { name: "ada" })).status, 200)
      assert.strictEqual((yield* zoe("POST", "/operator/operators/unenrol", { name: "ada" })).status, 404)
      assert.notStrictEqual((yield* ada("POST", reload, {})).status, 403)
      const audited = yield* auditOfAda
      for (const action of [
        "operator.enrol done",
        "operator.code done",
        "operator.code refused",
        "operator.unenrol done"
      ])
        assert.include(audited, action)
    })
  )

  it.effect("pauses after five wrong codes, also for a right one", () =>
    Effect.gen(function* () {
      const secret = String((yield* zoe("POST", "/operator/enrol", {})).body.secret)
      for (let tried = 0; tried < 5; tried += 1)
        assert.include((yield* zoe("POST", "/operator/verify", { code: "000000" })).text, "wrong")
      const { status, text } = yield* zoe("POST", "/operator/verify", { code: Authenticator.code(secret) })
      assert.deepStrictEqual([status, text.includes("too many wrong codes")], [409, true])
    })
  )
})

layer(TestGateway.layer({ operators, twoStep: true }), { excludeTestServices: true })(
  "a gateway that requires a two-step sign-in",
  (it) => {
    it.effect("lets who has not enrolled only look, and enrol", () =>
      Effect.gen(function* () {
        const { status, text } = yield* ada("POST", reload, {})
        assert.deepStrictEqual([status, text.includes("pay operator enrol")], [403, true])
        const browser = yield* ConsoleBrowser.open()
        assert.include((yield* browser.signIn("the token of ada")).text, "<code>pay operator enrol</code>")
        const secret = String((yield* ada("POST", "/operator/enrol", {})).body.secret)
        yield* ada("POST", "/operator/verify", { code: Authenticator.code(secret) })
        assert.notStrictEqual((yield* withCode(Authenticator.code(secret, 1), reload, {})).status, 403)
      })
    )
  }
)
