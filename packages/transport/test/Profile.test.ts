/** Tests requests to gateways with another profile, and the reading of their answers. */
import { assert, describe, it } from "@effect/vitest"
import * as Dialect from "@pay/schema/Dialect"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import * as Pairs from "@pay/schema/Pairs"
import * as Control from "@pay/signing/Control"
import { Effect, Layer } from "effect"
import * as PayClient from "../src/PayClient.ts"
import * as Profile from "../src/Profile.ts"
import type * as Wire from "../src/Wire.ts"
import { accepted, capture, controlKey, inProcess, login, options, sale } from "./Merchant.ts"

const baseUrl = "http://127.0.0.1:1"

const pairs = (fields: object): string => Pairs.write(Object.entries(fields))

/** A client whose gateway gives one answer to every request, and the requests. */
const answering = (profile: Profile.Name | Profile.Profile, body: string, headers: Wire.WireAnswer["headers"] = {}) => {
  const requests: Array<Wire.WireRequest> = []
  const status = /^(?<status>\d{3}) /.exec(body)?.groups?.status
  const layer = inProcess(
    (request) =>
      Effect.sync(() => {
        requests.push(request)
        return { status: Number(status ?? 200), headers, body: status === undefined ? body : body.slice(4) }
      }),
    { ...options, baseUrl, profile }
  )
  return { layer, requests }
}

const { "end-point-id": _, ...acknowledged } = accepted
const approved = { ...accepted, type: "status-response", status: "approved" }
const refusal = { type: "validation-error", "serial-number": "9", "error-code": "1", "error-message": "No email" }

/** The outcome of a sale that is answered with this body. */
const sold = (profile: Profile.Name | Profile.Profile, body: string, headers?: Wire.WireAnswer["headers"]) =>
  Effect.flatMap(PayClient.PayClient, (pay) => pay.sale(sale)).pipe(
    Effect.map(({ "paynet-order-id": orderId }) => orderId),
    Effect.catch((error) =>
      Effect.succeed(
        error._tag === "Refused"
          ? `Refused ${error.status} ${error.errorCode}`
          : `${error._tag} ${"code" in error ? error.code : ""}`
      )
    ),
    Effect.provide(answering(profile, body, headers).layer)
  )

const orderId = accepted["paynet-order-id"]

const outcomes: ReadonlyArray<
  readonly [what: string, body: string, pairs: string, json: string, headers?: Wire.WireAnswer["headers"]]
> = [
  ["an answer in pairs", pairs(accepted), orderId, "OutcomeUnknown 200"],
  ["an answer in pairs without line feeds", pairs(accepted).replaceAll("\n", ""), orderId, "OutcomeUnknown 200"],
  ["an answer in pairs with CRLF", pairs(accepted).replaceAll("\n", "\r\n"), orderId, "OutcomeUnknown 200"],
  ["an answer in JSON", JSON.stringify(accepted), orderId, orderId],
  [
    "an answer without the order number",
    pairs({ ...accepted, "paynet-order-id": "" }),
    "OutcomeUnknown 200",
    "OutcomeUnknown 200"
  ],
  [
    "another merchant's order",
    pairs({ ...accepted, "merchant-order-id": "x" }),
    "OutcomeUnknown 200",
    "OutcomeUnknown 200"
  ],
  [
    "a field with two values",
    `${pairs(accepted)}&status=approved&status=declined\n`,
    "OutcomeUnknown 200",
    "OutcomeUnknown 200"
  ],
  ["malformed escapes", `${pairs(accepted)}&descriptor=%C3%28\n`, "OutcomeUnknown 200", "OutcomeUnknown 200"],
  ["a truncated answer", pairs(accepted).slice(0, 30), "OutcomeUnknown 200", "OutcomeUnknown 200"],
  ["an answer without its last digit", pairs(accepted).slice(0, -2), "OutcomeUnknown 200", "OutcomeUnknown 200"],
  ["an empty body", "", "OutcomeUnknown 200", "OutcomeUnknown 200"],
  ["an HTML page", "<html>type=async-response</html>", "OutcomeUnknown 200", "OutcomeUnknown 200"],
  [
    "an HTML page with a link",
    '<a href="?a=b&type=validation-error&error-message=no">',
    "OutcomeUnknown 200",
    "OutcomeUnknown 200"
  ],
  ["a refusal in pairs", pairs(refusal), "Refused 400 1", "OutcomeUnknown 200"],
  ["a refusal in JSON with status 200", JSON.stringify(refusal), "Refused 400 1", "OutcomeUnknown 200"],
  ["a refusal in pairs with its status", `401 ${pairs(refusal)}`, "Refused 401 1", "OutcomeUnknown 401"],
  [
    "a refusal in pairs with Retry-After",
    pairs(refusal),
    "Refused 429 1",
    "OutcomeUnknown 200",
    { "retry-after": "7" }
  ],
  ["a gateway fault", pairs({ ...refusal, type: "error" }), "OutcomeUnknown 500", "OutcomeUnknown 200"],
  ["a gateway fault with its status", `500 ${pairs(refusal)}`, "OutcomeUnknown 500", "OutcomeUnknown 500"],
  ["a proxy's HTML page", "502 <html>Bad gateway</html>", "OutcomeUnknown 502", "OutcomeUnknown 502"]
]

describe("the format of answers", () => {
  for (const [what, body, inPairs, inJson, headers] of outcomes) {
    for (const [profile, outcome] of [
      ["pairs", inPairs],
      ["specification", inJson]
    ] as const) {
      it.effect(`${what} gives, with the profile ${profile}: ${outcome}`, () =>
        Effect.gen(function* () {
          assert.strictEqual(yield* sold(profile, body, headers), outcome)
        })
      )
    }
  }

  it.effect("gives the same values in pairs and in JSON", () =>
    Effect.gen(function* () {
      const text = { ...approved, descriptor: "Café & Söhne = 100 %", amount: "10.42", name: "J. Smith\nJr." }
      const ask = Effect.flatMap(PayClient.PayClient, (pay) => pay.status(capture))
      assert.deepStrictEqual(
        yield* Effect.provide(ask, answering("pairs", pairs(text)).layer),
        yield* Effect.provide(ask, answering("specification", JSON.stringify(text)).layer)
      )
    })
  )

  it.effect("omits a field whose text means no value", () =>
    Effect.gen(function* () {
      const info = { type: "get-card-info-response", "serial-number": "1", bin: "444433", "last-four-digits": "1111" }
      const body = pairs({ ...info, "expire-month": "12", "expire-year": "2030", "card-printed-name": Dialect.noValue })
      const pay = yield* PayClient.PayClient.pipe(Effect.provide(answering("pairs", body).layer))
      assert.notProperty(yield* pay.cardinfo({ cardrefid: "7" }), "card-printed-name")
    })
  )
})

/** The first request of a sale. */
const sent = (profile: Profile.Name | Profile.Profile, endpointId = "group/7") => {
  const { layer, requests } = answering(profile, pairs(acknowledged))
  return Effect.flatMap(PayClient.PayClient, (pay) => pay.sale(sale, { endpointId })).pipe(
    Effect.ignore,
    Effect.provide(layer),
    Effect.map(() => requests[0] ?? assert.fail("nothing was sent"))
  )
}

describe("the requests", () => {
  const rows = [
    ["specification", "/api/v2/sale/7", Dialect.mediaType],
    ["pairs", "/api/v2/sale/group/7", "*/*"],
    ["paynet", "/paynet/api/v2/sale/group/7", "*/*"],
    ["checkout", "/checkout/api/v2/sale/group/7", "*/*"],
    ["payment", "/payment/api/v2/sale/group/7", "*/*"]
  ] as const
  it.effect.each(rows)("of the profile $0 go to $1 and accept $2", ([profile, path, accept]) =>
    Effect.gen(function* () {
      const { headers, url } = yield* sent(profile)
      assert.deepStrictEqual([url.slice(baseUrl.length), headers.accept], [path, accept])
    })
  )

  it("are tested for every named profile", () =>
    assert.deepStrictEqual(
      rows.map(([profile]) => profile),
      [...Profile.all]
    ))

  it.effect("follow the rules of their dialect: the older one does not require a state", () =>
    Effect.gen(function* () {
      const { state: _, ...stateless } = sale
      const end = (profile: Profile.Name) =>
        Effect.flatMap(PayClient.PayClient, (pay) => pay.sale(stateless)).pipe(
          Effect.provide(answering(profile, pairs(accepted)).layer),
          Effect.match({ onFailure: ({ _tag }) => _tag, onSuccess: ({ type }) => type })
        )
      assert.deepStrictEqual([yield* end("pairs"), yield* end("specification")], ["async-response", "InvalidRequest"])
    })
  )

  it.effect("are not sent for an operation that the gateway lacks", () =>
    Effect.gen(function* () {
      const { layer, requests } = answering({ lacks: ["CAPTURE"] }, JSON.stringify(accepted))
      const pay = yield* PayClient.PayClient.pipe(Effect.provide(layer))
      const error = yield* Effect.flip(pay.capture(capture))
      assert.deepStrictEqual(
        [error._tag, error.message, requests.length],
        ["InvalidRequest", "CAPTURE: the client's profile lists CAPTURE as an operation that the gateway lacks", 0]
      )
    })
  )

  it.effect("are signed with the profile's recipe", () =>
    Effect.gen(function* () {
      const recipe = ["login", "client_orderid"]
      const { layer, requests } = answering({ recipes: { CAPTURE: recipe } }, JSON.stringify(accepted))
      const pay = yield* PayClient.PayClient.pipe(Effect.provide(layer))
      yield* pay.capture(capture)
      yield* Effect.ignore(pay.void(capture))
      const [own, usual] = requests.map(({ body }) => new URLSearchParams(body).get("control"))
      assert.strictEqual(own, Control.sign(recipe, { login, ...capture }, controlKey))
      assert.strictEqual(usual, Control.sign(Control.recipes.void, { login, ...capture }, controlKey))
    })
  )
})

describe("the other spellings of a profile", () => {
  const profile: Profile.Profile = { statuses: { cancelled: "declined" }, names: { "order-id": "paynet-order-id" } }
  const { "paynet-order-id": id, ...others } = approved

  it.effect("are read as statuses and names of the contract", () =>
    Effect.gen(function* () {
      const body = JSON.stringify({ ...others, "order-id": id, status: "cancelled" })
      const pay = yield* PayClient.PayClient.pipe(Effect.provide(answering(profile, body).layer))
      assert.include(yield* pay.status(capture), { status: "declined", "paynet-order-id": id })
    })
  )

  it.effect("do not replace fields that have the contract's name", () =>
    Effect.gen(function* () {
      const body = JSON.stringify({ ...approved, "order-id": "1", status: "toString" })
      const pay = yield* PayClient.PayClient.pipe(Effect.provide(answering(profile, body).layer))
      assert.include(yield* pay.status(capture), { status: "toString", "paynet-order-id": id })
    })
  )
})

describe("the setting profile", () => {
  it("accepts a name, properties, or both", () => {
    const text = "paynet, idempotency-key, not-found=54"
    assert.deepStrictEqual(Profile.parse(text), {
      profile: { ...Profile.named.paynet, honoursIdempotencyKey: true, notFound: [54] },
      unknown: []
    })
    assert.deepStrictEqual(Profile.parse("").profile, {})
    assert.deepStrictEqual(Profile.parse("path-prefix=/x, paynet").profile.pathPrefix, "/x")
    assert.deepStrictEqual(Profile.parse("paynet, checkout, toString").unknown, ["toString", "checkout"])
  })

  const wrong: ReadonlyArray<readonly [string, Partial<PayClient.Options>, string]> = [
    [
      "a base address that already has the prefix",
      { baseUrl: `${baseUrl}/paynet`, profile: "paynet" },
      "must not end with /paynet: the profile adds it"
    ],
    ["a prefix that is not a path", { profile: { pathPrefix: "paynet" } }, "has a pathPrefix that is no path"]
  ]
  it.effect.each(wrong)("refuses $0", ([, changes, problem]) =>
    Effect.gen(function* () {
      const layer = inProcess(() => Effect.die("nothing is sent"), { ...options, baseUrl, ...changes })
      assert.strictEqual((yield* Effect.flip(Layer.build(layer))).problem, problem)
    }).pipe(Effect.scoped)
  )

  it.effect("is completed by the profile that the gateway announces", () =>
    Effect.gen(function* () {
      const headers = { [GatewayProfile.header]: GatewayProfile.format(GatewayProfile.ours) }
      const pay = yield* PayClient.PayClient.pipe(Effect.provide(answering("paynet", pairs(approved), headers).layer))
      yield* pay.status(capture)
      const { profile } = yield* pay.assumedProfile
      assert.deepStrictEqual(profile, { ...GatewayProfile.ours, groupPath: true, pathPrefix: "/paynet" })
    })
  )
})
