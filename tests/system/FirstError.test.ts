/**
 * A wrong field in a correctly signed request is reported with its own error code. The mistakes are derived from the rules of the
 * contract, and signed as the specification says: values as they are sent, the amount in hundredths.
 */
import { assert, layer } from "@effect/vitest"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as Control from "@pay/signing/Control"
import { Effect, Result } from "effect"
import * as Merchants from "../harness/Merchants.ts"
import * as OAuth from "../harness/OAuth.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const { CAPTURE, PREAUTH, SALE } = PayApi.operations
const { controlKey, endpoints, login } = TestGateway
type Changes = Readonly<Record<string, string | undefined>>

/** What the specification says of the amount, done as a merchant's program does it. */
const hundredths = (amount: string): string => {
  const number = Number(amount.replace(",", "."))
  return amount.trim() === "" || Number.isNaN(number) ? amount : String(Math.round(number * 100))
}

const controlled = (
  operation: Operation,
  fields: TestMerchant.Fields,
  endpointId: string,
  key: string
): TestMerchant.Fields => {
  if (operation.signing._tag === "OAuth") return fields
  const { recipe } = operation.signing
  const amount = fields.amount === undefined ? {} : { amount: hundredths(fields.amount) }
  return { ...fields, control: Control.sign(recipe, { ...fields, endpointId, ...amount }, key) }
}

const send = (
  operation: Operation,
  fields: TestMerchant.Fields,
  endpointId: string = endpoints.usd,
  key: string = controlKey
) =>
  operation.signing._tag === "OAuth"
    ? OAuth.sendOnly(operation, fields, { endpointId })
    : TestGateway.post(operation, fields, {
        endpointId,
        change: (sent) => controlled(operation, sent, endpointId, key)
      })

const changed = (fields: TestMerchant.Fields, changes: Changes): TestMerchant.Fields =>
  Object.fromEntries(
    Object.entries({ ...fields, ...changes }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  )

const sample = (operation: Operation): TestMerchant.Fields => {
  const fields = Sample.request(operation)
  return "login" in fields ? { ...fields, login } : fields
}

const texts = [
  "x",
  "-1",
  "+1",
  "0",
  "10,42",
  "10.001",
  "1e3",
  "1 000",
  "99999999.99",
  "usd",
  "XXX",
  "a\u0000",
  "\u202e"
]
const pairs: ReadonlyArray<Changes> = [
  { amount: "10.50", currency: "JPY" },
  { amount: "1.2345", currency: "KWD" },
  { amount: "1.00", currency: undefined },
  { amount: "1.00", currency: "usd" },
  { amount: undefined, currency: "USD" },
  { amount: "10,42", currency: "usd" }
]

/**
 * Every change of the operation's sample that its rules refuse, with the field to blame and its code. Of a field that no
 * `control` covers, one change for each thing that can be wrong with it.
 */
const mistakes = (operation: Operation) => {
  const sound = sample(operation)
  const covered = operation.signing._tag === "Control" ? ["currency", ...operation.signing.recipe] : ["login"]
  const names = new Set<string>()
  const ofFields = [...operation.infos].flatMap(
    ([name, { maxLength }]): ReadonlyArray<Changes> => [
      { [name]: undefined },
      { [name]: "  " },
      { [name]: "9".repeat(maxLength + 1) },
      ...texts.map((text) => ({ [name]: text }))
    ]
  )
  const ofPairs = operation.infos.has("amount") ? pairs : []
  return [...ofFields, ...ofPairs].flatMap((changes) => {
    const fields = changed(sound, changes)
    const present = Object.entries(fields).filter(([, value]) => value.trim() !== "")
    const trimmed = Object.fromEntries(present.map(([name, value]) => [name, value.trim()]))
    const decoded = operation.decodeFields(trimmed)
    if (Result.isSuccess(decoded)) return []
    const problems = decoded.failure
    const existing = problems.map(({ message }) => message).join("\n")
    if (names.has(existing) && !covered.some((name) => name in changes)) return []
    names.add(existing)
    return [{ changes, fields, problems }]
  })
}

layer(TestGateway.layer(), { excludeTestServices: true })("a wrong field in a correctly signed request", (it) => {
  for (const operation of PayApi.all) {
    it.effect(`${operation.name}: each mistake is reported with its field and error code`, () =>
      Effect.gen(function* () {
        const all = mistakes(operation)
        assert.isAtLeast(all.length, 10)
        yield* Effect.forEach(
          all,
          Effect.fnUntraced(function* ({ changes, fields, problems }) {
            const { body, status } = yield* send(operation, fields)
            const expected = problems.map(({ code, field, message }) => ({ field, code: String(code), message }))
            assert.deepStrictEqual(
              [status, body.errors],
              [400, expected],
              `${JSON.stringify(changes)} ${body["error-message"]}`
            )
          }),
          { concurrency: 8, discard: true }
        )
      })
    )
  }

  it.effect("an amount in thousandths is reported on an endpoint with amounts in hundredths", () =>
    Effect.gen(function* () {
      const fields = { ...TestGateway.saleFields, amount: "10.001", currency: "KWD" }
      TestMerchant.assertRefused(yield* send(SALE, fields, endpoints.x100), "amountNotExact", "amount")
    })
  )

  const named = PayApi.all.filter(({ signing }) => signing._tag === "Control" && signing.recipe.includes("login"))
  for (const operation of named) {
    it.effect(`${operation.name}: a login that is signed but not sent is reported`, () =>
      Effect.gen(function* () {
        const without = (key: string) => {
          const { login: _, ...fields } = controlled(operation, sample(operation), endpoints.usd, key)
          return TestGateway.post(operation, {}, { change: () => fields })
        }
        TestMerchant.assertRefused(yield* without(controlKey), "parameterRequired", "login")
        TestMerchant.assertRefused(yield* without("wrong"), "authenticationFailed")
      })
    )
  }

  it.effect("two values of one field, the second one signed, are reported as a conflict", () =>
    Effect.gen(function* () {
      const second = controlled(
        SALE,
        { ...TestGateway.saleFields, client_orderid: "second" },
        endpoints.usd,
        controlKey
      )
      const twice = yield* TestGateway.post(SALE, {}, { change: () => ({ "client-order-id": "first", ...second }) })
      TestMerchant.assertRefused(twice, "parameterConflict", "client_orderid")
      yield* TestMerchant.assertFree("second")
    })
  )

  it.effect("creates no order, repeats none and finds none", () =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("PREAUTH")
      const capture = { login, ...order, amount: "1.00" }
      TestMerchant.assertRefused(yield* send(CAPTURE, capture), "parameterRequired", "currency")
      assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved preauth 10.42 0.00 0.00 10.42")
      const unknown = { ...capture, orderid: "123456" }
      TestMerchant.assertRefused(yield* send(CAPTURE, unknown), "parameterRequired", "currency")
      const again = { ...TestGateway.saleFields, client_orderid: order.client_orderid, amount: "10,42" }
      const refused = yield* send(PREAUTH, again)
      TestMerchant.assertRefused(refused, "parameterInvalid", "amount")
      assert.isUndefined(refused.body["paynet-order-id"])
    })
  )
})

layer(TestGateway.layer({ merchants: Merchants.both() }), { excludeTestServices: true })(
  "a request without the merchant's key",
  (it) => {
    const payments = PayApi.all.filter(({ infos, signing }) => signing._tag === "Control" && infos.has("amount"))
    for (const operation of payments) {
      it.effect(`${operation.name}: a wrong field is reported as a wrong signature, for each login and endpoint`, () =>
        Effect.gen(function* () {
          const fields = { ...sample(operation), amount: "10,42", currency: "usd" }
          for (const [endpointId, key] of [
            [endpoints.usd, "wrong"],
            [endpoints.usd, Merchants.other.controlKey],
            [Merchants.other.endpointId, controlKey],
            ["999", controlKey]
          ] as const) {
            TestMerchant.assertRefused(yield* send(operation, fields, endpointId, key), "authenticationFailed")
          }
        })
      )
    }
  }
)
