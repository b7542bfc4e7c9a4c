import { assert, layer } from "@effect/vitest"
import type * as ErrorCode from "@pay/schema/ErrorCode"
import * as PayApi from "@pay/schema/PayApi"
import * as Form from "@pay/signing/Form"
import { Effect } from "effect"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const { SALE } = PayApi.operations
const { endpoints, saleFields, standardHeaders } = TestGateway

interface Spoiled {
  readonly headers?: TestMerchant.Fields
  readonly path?: string
  readonly method?: "GET" | "PUT" | "DELETE" | "PATCH" | "OPTIONS"
  /** What stands in the request before it is signed. */
  readonly fields?: TestMerchant.Fields
  /** Changes the signed body as text or bytes. */
  readonly body?: (form: string) => string | Uint8Array
}

const send = (clientOrderId: string, { body = (form) => form, fields, headers, method, path }: Spoiled) => {
  const endpointId = path?.split("?")[0]?.split("/").at(-1) ?? endpoints.usd
  const signed = TestGateway.controlled(SALE, { ...saleFields, client_orderid: clientOrderId, ...fields }, endpointId)
  return TestGateway.raw({
    path: path ?? `${SALE.path}/${endpoints.usd}`,
    headers: headers ?? standardHeaders,
    body: body(Form.write(Object.entries(signed))),
    ...(method === undefined ? {} : { method })
  })
}

const accept = (value: string): Spoiled => ({ headers: { ...standardHeaders, accept: value } })
const contentType = (value: string): Spoiled => ({ headers: { ...standardHeaders, "content-type": value } })
const path = (value: string): Spoiled => ({ path: value })
const append = (text: string): Spoiled => ({ body: (form) => `${form}&${text}` })
const many = (count: number): string => Array.from({ length: count }, (_, i) => `x${i}=1`).join("&")
const control = (change: (control: string) => string): Spoiled => ({
  body: (form) => form.replace(/control=([0-9a-f]*)/, (_, value: string) => change(value))
})

const ofForm: ReadonlyArray<readonly [name: string, spoiled: Spoiled, error: ErrorCode.Name]> = [
  ["no Accept", { headers: { "content-type": standardHeaders["content-type"] } }, "acceptRequired"],
  ["Accept of everything", accept("*/*"), "acceptRequired"],
  ["Accept of a longer type", accept("application/vnd.pay+jsonx"), "acceptRequired"],
  ["Accept that excludes the gateway's type", accept("application/vnd.pay+json;q=0"), "acceptRequired"],
  [
    "Accept that excludes the gateway's type, with three decimals",
    accept("text/html, application/vnd.pay+json; q=0.000"),
    "acceptRequired"
  ],
  ["no Content-Type", { headers: { accept: standardHeaders.accept } }, "contentTypeRequired"],

  ["an incomplete escape", append("order_desc=%4"), "malformedForm"],
  ["escapes that are not UTF-8", append("x=%C3%28"), "malformedForm"],
  ["escapes of half a surrogate pair", append("x=%ED%A0%80"), "malformedForm"],
  ["201 parameters in the query", path(`${SALE.path}/${endpoints.usd}?${many(201)}`), "tooManyParameters"],
  ["200 parameters in query and body", path(`${SALE.path}/${endpoints.usd}?${many(190)}`), "tooManyParameters"],

  ["the path of no operation", path("/api/v2/sell/1001"), "notFound"],
  ["no endpoint id", path("/api/v2/sale"), "notFound"],
  ["an empty endpoint id", path("/api/v2/sale/"), "notFound"],
  ["a broken endpoint id", path("/api/v2/sale/1001.0"), "notFound"],
  ["an escaped endpoint id", path("/api/v2/sale/%31001"), "notFound"],
  ["an endpoint id of 2^64 + 1001", path("/api/v2/sale/18446744073709552617"), "notFound"],
  ["another case of the path", path("/API/V2/SALE/1001"), "notFound"],

  ["GET", { method: "GET" }, "methodNotAllowed"],
  ["OPTIONS", { method: "OPTIONS" }, "methodNotAllowed"],

  ["an empty control", control(() => "control="), "parameterRequired"],
  ["a control and more", control((value) => `control=${value}00`), "authenticationFailed"],
  ["two controls", control((value) => `control=${value}&control=${"0".repeat(40)}`), "parameterConflict"],
  [
    "a control in the query",
    { path: `/api/v2/sale/1001?control=x`, body: (form) => form.replace(/&?control=\w+/, "") },
    "parameterRequired"
  ]
]

layer(TestGateway.layer({ settings: TestGateway.jsonOnly }), { excludeTestServices: true })(
  "a malformed request",
  (it) => {
    for (const [name, spoiled, error] of ofForm) {
      it.effect(`${name}: refused with ${error}, and no order is created`, () =>
        Effect.gen(function* () {
          const clientOrderId = TestMerchant.freshId()
          const reply = yield* send(clientOrderId, spoiled)
          TestMerchant.assertRefused(reply, error)
          if (error === "methodNotAllowed") assert.strictEqual(reply.headers.allow, "POST")
          yield* TestMerchant.assertFree(clientOrderId)
        })
      )
    }

    it.effect("gets one refusal for the control of another endpoint, operation or merchant", () =>
      Effect.gen(function* () {
        const clientOrderId = TestMerchant.freshId()
        const fields = { ...saleFields, client_orderid: clientOrderId }
        const wrong = [
          TestGateway.controlled(SALE, fields, endpoints.eur),
          TestGateway.controlled(SALE, fields, endpoints.usd, "another key"),
          { ...fields, control: TestGateway.controlled(PayApi.operations.STATUS, fields).control ?? "" }
        ]
        for (const signed of wrong) {
          const reply = yield* TestGateway.post(SALE, fields, { change: () => signed })
          TestMerchant.assertRefused(reply, "authenticationFailed")
        }
        yield* TestMerchant.assertFree(clientOrderId)
        TestMerchant.assertAccepted(yield* TestGateway.post(SALE, fields))
        yield* TestMerchant.assertClean
      })
    )
  }
)

const harmless: ReadonlyArray<readonly [name: string, spoiled: Spoiled]> = [
  ["Accept in a list", accept("text/html, application/vnd.pay+json")],
  ["Accept with a weight", accept("application/vnd.pay+json;q=0.5, */*;q=0.1")],
  ["Accept in capitals", accept("Application/VND.Pay+JSON")],
  ["a charset", contentType("application/x-www-form-urlencoded; charset=UTF-8")],
  ["the same field twice", append(`amount=10.42`)],
  ["200 parameters", { body: (form) => `${form}&${many(200 - form.split("&").length)}` }],
  ["empty pieces", { body: (form) => `&&${form}&&` }],
  [
    "fields with names of object properties",
    append("__proto__=x&constructor=x&toString=x&hasOwnProperty=x&__proto__%5Bnote%5D=1")
  ],
  ["blanks around values", { body: (form) => form.replace("amount=10.42", "amount=%20%0910.42+") }],
  ["a query", path("/api/v2/sale/1001?utm_source=mail")]
]

layer(TestGateway.layer(), { excludeTestServices: true })("an unusual but valid request", (it) => {
  for (const [name, spoiled] of harmless) {
    it.effect(`with ${name} is accepted`, () =>
      Effect.gen(function* () {
        const reply = yield* send(TestMerchant.freshId(), spoiled)
        TestMerchant.assertAccepted(reply)
        yield* TestMerchant.settled
        assert.strictEqual((yield* TestMerchant.status(TestMerchant.nameOf(reply)))["captured-amount"], "10.42")
      })
    )
  }
})
