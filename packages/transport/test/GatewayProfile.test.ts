/** Tests which properties of a gateway, beyond the specification, the client relies on. */
import { assert, describe, it } from "@effect/vitest"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import { Effect, Layer } from "effect"
import * as PayClient from "../src/PayClient.ts"
import type * as Wire from "../src/Wire.ts"
import { accepted, answer, capture, inProcess, lost, options, playing, recording, refusal, sale } from "./Merchant.ts"

const text = GatewayProfile.format(GatewayProfile.ours)
const announcing = { [GatewayProfile.header]: text }
const approved = { ...accepted, type: "status-response", status: "approved" }
const hasKeys = Effect.flatMap(PayClient.PayClient, ({ assumedProfile }) =>
  Effect.map(assumedProfile, ({ isSteady, profile }) => [profile.honoursIdempotencyKey, isSteady])
)
const ask = Effect.flatMap(PayClient.PayClient, (pay) => Effect.ignore(pay.status(capture)))
const act = Effect.flatMap(PayClient.PayClient, (pay) => Effect.ignore(pay.capture(capture)))

/** The answers to status calls; whether the client relies on idempotency keys afterwards, and whether that never changed. */
const beliefs: ReadonlyArray<
  readonly [
    scenario: string,
    answers: ReadonlyArray<Wire.WireAnswer | Wire.WireError>,
    hasKeys: boolean,
    steady: boolean
  ]
> = [
  ["after no answer", [lost], false, true],
  ["after an answer that announces nothing", [answer(200, approved)], false, true],
  ["after an answer that announces keys", [answer(200, approved, announcing)], true, true],
  ["after a refusal that announces keys", [answer(400, refusal, announcing)], true, true],
  [
    "after an answer about another order that announces keys",
    [answer(200, { ...approved, "merchant-order-id": "x" }, announcing)],
    false,
    true
  ],
  ["after a proxy's page that announces keys", [answer(200, "<html>", announcing)], false, true],
  ["after a gateway fault that announces keys", [answer(500, refusal, announcing)], false, true],
  ["if a later answer announces nothing", [answer(200, approved, announcing), answer(200, approved)], false, false],
  ["if only a later answer announces keys", [answer(200, approved), answer(200, approved, announcing)], true, false],
  ["if a later answer is lost", [answer(200, approved, announcing), lost], true, true],
  [
    "after an answer that announces unknown words",
    [answer(200, approved, { [GatewayProfile.header]: "magic, x=1" })],
    false,
    true
  ]
]

describe("the profile that the client assumes of its gateway", () => {
  it.effect("is only the specification at first", () =>
    Effect.gen(function* () {
      const { assumedProfile } = yield* PayClient.PayClient
      assert.deepStrictEqual(yield* assumedProfile, { profile: GatewayProfile.specification, isSteady: true })
    }).pipe(Effect.provide(playing(lost).layer))
  )

  for (const [scenario, answers, keys, steady] of beliefs) {
    it.effect(`${keys ? "includes" : "excludes"} idempotency keys ${scenario}`, () =>
      Effect.gen(function* () {
        for (const _ of answers) yield* ask
        assert.deepStrictEqual(yield* hasKeys, [keys, steady])
      }).pipe(Effect.provide(playing(...answers).layer))
    )
  }

  it.effect("does not change with a request that was not answered", () =>
    Effect.gen(function* () {
      yield* act
      assert.deepStrictEqual(yield* hasKeys, [false, true])
    }).pipe(Effect.provide(playing(answer(500, refusal, announcing), lost).layer))
  )

  it.effect("follows the options before any announcement, and takes no address from an announcement", () =>
    Effect.gen(function* () {
      yield* ask
      const { assumedProfile } = yield* PayClient.PayClient
      const { profile } = yield* assumedProfile
      assert.deepStrictEqual(profile, { ...GatewayProfile.ours, honoursIdempotencyKey: false })
    }).pipe(
      Effect.provide(
        inProcess(
          () =>
            Effect.succeed(answer(200, approved, { [GatewayProfile.header]: `${text}, group-path, path-prefix=/x` })),
          { ...options, profile: { honoursIdempotencyKey: false } }
        )
      )
    )
  )

  it("is written as text that is read back as the same profile", () => {
    const other = { ...GatewayProfile.specification, notFound: [7, "Unknown order"], groupPath: true, pathPrefix: "/x" }
    for (const profile of [GatewayProfile.specification, GatewayProfile.ours, other]) {
      const { profile: read, unknown } = GatewayProfile.parse(GatewayProfile.format(profile))
      assert.deepStrictEqual([{ ...GatewayProfile.specification, ...read }, unknown], [profile, []])
    }
  })
})

const typeless = (body: object) => answer(400, body)
const { type: _, ...untyped } = refusal

const refusals: ReadonlyArray<readonly [scenario: string, answers: ReadonlyArray<Wire.WireAnswer>, end: string]> = [
  ["with only a message", [typeless({ "error-message": "no" })], "Refused"],
  ["with a number as its code", [typeless({ "error-message": "no", "error-code": 3 })], "Refused"],
  ["with every key except the type", [typeless(untyped)], "Refused"],
  ["from a proxy", [typeless({ message: "no" })], "OutcomeUnknown"],
  ["with another type", [typeless({ ...untyped, type: "problem" })], "OutcomeUnknown"],
  [
    "from a gateway that announces its profile",
    [answer(200, approved, announcing), typeless(untyped)],
    "OutcomeUnknown"
  ],
  [
    "from a gateway that announced its profile only earlier",
    [answer(200, approved, announcing), answer(200, approved), typeless(untyped)],
    "Refused"
  ]
]

describe("a 400 whose body has no type", () => {
  for (const [scenario, answers, end] of refusals) {
    it.effect(`${scenario}: ${end}`, () =>
      Effect.gen(function* () {
        for (const _ of answers.slice(1)) yield* ask
        const pay = yield* PayClient.PayClient
        assert.strictEqual((yield* Effect.flip(pay.capture(capture)))._tag, end)
      }).pipe(Effect.provide(playing(...answers).layer))
    )
  }
})

describe("an identifier of more digits than a number holds", () => {
  const body = JSON.stringify({ ...approved, "paynet-order-id": 1 }).replace(":1,", ":9007199254740993,")
  for (const [scenario, headers, id] of [
    ["is read digit by digit", {}, "9007199254740993"],
    ["is not searched for if the gateway announces identifiers as text", announcing, "9007199254740992"]
  ] as const) {
    it.effect(scenario, () =>
      Effect.gen(function* () {
        const pay = yield* PayClient.PayClient
        const { "paynet-order-id": orderId } = yield* pay.status({ client_orderid: "902B4FF5" })
        assert.strictEqual(orderId, id)
      }).pipe(Effect.provide(inProcess(() => Effect.succeed(answer(200, body, headers)))))
    )
  }
})

const addresses: ReadonlyArray<
  readonly [endpointId: string, profile: Partial<GatewayProfile.GatewayProfile>, sale: string, upload: string]
> = [
  ["7", {}, "/api/v2/sale/7", "/api/3ds/v1/upload-cres-result/7"],
  ["7", { groupPath: true }, "/api/v2/sale/7", "/api/3ds/v1/upload-cres-result/7"],
  ["group/7", {}, "/api/v2/sale/7", "/api/3ds/v1/upload-cres-result/7"],
  ["group/7", { groupPath: true }, "/api/v2/sale/group/7", "/api/3ds/v1/upload-cres-result/7"],
  ["7", { pathPrefix: "/checkout" }, "/checkout/api/v2/sale/7", "/checkout/api/3ds/v1/upload-cres-result/7"]
]

describe("the address of a request", () => {
  for (const [endpointId, profile, salePath, uploadPath] of addresses) {
    it.effect(`for endpoint ${endpointId} with profile ${JSON.stringify(profile)} is ${salePath}`, () =>
      Effect.gen(function* () {
        const { layer, requests } = recording({ ...options, endpointId, profile })
        yield* Effect.gen(function* () {
          const pay = yield* PayClient.PayClient
          yield* pay.sale(sale)
          yield* pay.tdsUploadCresResult({ "client-order-id": "902B4FF5", orderid: "6768788", cRes: "e30" })
        }).pipe(Effect.provide(layer))
        assert.deepStrictEqual(
          requests.map(({ url }) => url.slice(options.baseUrl.length)),
          [salePath, uploadPath]
        )
        // The signature covers the number alone.
        const control = ({ body = "" }: Partial<Wire.WireRequest> = {}) => new URLSearchParams(body).get("control")
        assert.strictEqual(control(requests[0]), "3af016e5054ad19c18fa06e13458950a08bae3d8")
      })
    )
  }

  it.effect.each(["group/", "group/x", "groups/7", "7/group", ""])("is refused for the endpoint $0", (endpointId) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Layer.build(recording({ ...options, endpointId }).layer))
      assert.strictEqual(error.setting, "endpointId")
    }).pipe(Effect.scoped)
  )
})
