/** A first contact moves no money at any gateway, and its profile lets clients and flows speak to three gateways with other habits. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Pay } from "@pay/client"
import * as FirstContact from "@pay/conformance/FirstContact"
import * as ProfileFile from "@pay/conformance/ProfileFile"
import { CardSale } from "@pay/flows/CardPayment"
import * as CustomerBrowsers from "@pay/flows/CustomerBrowser"
import { FlowEngine } from "@pay/flows/FlowEngine"
import * as FlowSettings from "@pay/flows/FlowSettings"
import { Order } from "@pay/gateway/Entities"
import { NodeServer } from "@pay/gateway/NodeServer"
import { Store } from "@pay/gateway/Store"
import * as PayApi from "@pay/schema/PayApi"
import * as Sandbox from "@pay/server/Sandbox"
import * as PayClient from "@pay/transport/PayClient"
import { ConfigProvider, Context, Effect, Layer, Redacted, Schema } from "effect"
import { payment } from "../../packages/client/test/Samples.ts"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import { payloadOf } from "../workflows/Requests.ts"
import * as HabitGateway from "./HabitGateway.ts"
import * as TestRun from "./TestRun.ts"

const { announcing, older, plainJson } = HabitGateway
const { controlKey, endpoint, login } = HabitGateway.merchant
const merchant = { login, endpoint, controlKey: Redacted.make(controlKey) }

const contact = (baseUrl: string, options: Partial<FirstContact.Options> = {}) =>
  Effect.scoped(FirstContact.run({ baseUrl, merchant, ...options }))

const gateways: ReadonlyArray<readonly [name: string, habits: HabitGateway.Habits]> = [
  ["the older dialect", older],
  ["plain JSON", plainJson],
  ["the specification", announcing]
]

/** The fields with which a payment could be made. */
const means = /card|cvv|account|recurring|source|destination|amount|pan/

/** Returns why a request cannot move money. `undefined`: it could. */
const harmlessBecause = ({ fields, operation: name }: HabitGateway.Arrival): string | undefined => {
  const operation = PayApi.all.find((each) => each.name === name)
  if (operation === undefined) return "no operation"
  if (operation.acts === "reads") return "it reads"
  const { client_orderid, "client-order-id": id = client_orderid, orderid, ...others } = fields
  if (Object.keys(fields).length === 0) return "it is empty"
  if (operation.acts === "onOrder")
    return id?.startsWith("harmless-") === true && (orderid ?? "9223372036854775807") === "9223372036854775807"
      ? "no such order"
      : undefined
  return Object.keys(others).some((field) => means.test(field)) ? undefined : "nothing to pay with"
}

describe("a first contact", () => {
  it.live.each(gateways)("moves no money, also where every request is accepted: %s", ([, habits]) =>
    Effect.gen(function* () {
      for (const believesAll of [false, true]) {
        const { arrivals, baseUrl, booked } = yield* HabitGateway.start({ ...habits, believesAll })
        const { findings } = yield* contact(baseUrl)
        assert.isAbove(arrivals.length, 40)
        for (const arrival of arrivals) assert.isDefined(harmlessBecause(arrival), JSON.stringify(arrival))
        assert.deepStrictEqual(
          booked.filter((each) => each.startsWith("sale")),
          []
        )
        assert.strictEqual(findings.length > 0, believesAll, findings.join())
      }
    })
  )

  const profiles: ReadonlyArray<readonly [name: string, habits: HabitGateway.Habits, profile: ProfileFile.Profile]> = [
    [
      "the older dialect",
      older,
      {
        answers: "pairs",
        pathPrefix: "/paynet",
        groupPath: true,
        notFound: ["Order not found"],
        typesErrors: true,
        lacks: PayApi.all.flatMap(({ name }) => (older.serves.includes(name) ? [] : [name]))
      }
    ],
    [
      "plain JSON",
      plainJson,
      {
        notFound: [19],
        lacks: PayApi.all.flatMap(({ name }) => (plainJson.serves.includes(name) ? [] : [name])),
        recipes: { VOID: ["login", "orderid"] }
      }
    ],
    [
      "the specification",
      announcing,
      {
        notFound: [54],
        typesErrors: true,
        lacks: PayApi.all.flatMap(({ name }) => (announcing.serves.includes(name) ? [] : [name]))
      }
    ]
  ]
  it.live.each(profiles)("finds the profile of %s, and the same one each time", ([, habits, profile]) =>
    Effect.gen(function* () {
      const { baseUrl } = yield* HabitGateway.start(habits)
      const { file, findings } = yield* contact(baseUrl)
      assert.deepStrictEqual([file.profile, findings], [profile, []])
      const again = yield* contact(baseUrl)
      const text = ProfileFile.write(file)
      assert.strictEqual(text, ProfileFile.write(again.file))
      for (const secret of [controlKey, login, "harmless-"]) assert.notInclude(text, secret)
      yield* Schema.decodeUnknownEffect(ProfileFile.ProfileFile)(JSON.parse(text))
    })
  )

  it("keeps what an earlier file has by hand, and finds the rest anew", () => {
    const observed = { announces: "", answers: {}, signatures: {}, undetermined: [] }
    const statuses = { authorised: "approved" } as const
    const hand = { notFound: [19], statuses, honoursIdempotencyKey: true }
    const earlier = JSON.stringify({ profile: { ...hand, answers: "pairs", lacks: ["SALE"] }, observed: {} })
    const kept = (profile: ProfileFile.Profile, text: string) =>
      ProfileFile.keeping({ profile, observed }, text).profile
    assert.deepEqual(kept({ typesErrors: true }, earlier), { ...hand, typesErrors: true })
    assert.deepEqual(kept({ notFound: [54] }, earlier), { ...hand, notFound: [54] })
    for (const text of ["", "{", '{"profile":{"notFound":{}}}']) assert.deepEqual(kept({}, text), {})
  })

  it.live("reads an order that exists, and names what it cannot decide", () =>
    Effect.gen(function* () {
      const reports = { status: "authorised" }
      const { baseUrl } = yield* HabitGateway.start({ ...plainJson, reports: { ...plainJson.reports, ...reports } })
      const pay = Pay.client({ baseUrl, login, controlKey, endpointId: endpoint, profile: { notFound: [19] } })
      const made = yield* Effect.promise(() => pay.api.sale({ ...sale("a-1"), orderDesc: "Two tickets" }))
      assert(made.ok, made.error?.message)
      const { file, findings } = yield* contact(baseUrl, { order: "a-1" })
      assert.deepInclude(file.observed.answers["status of an order that exists"], {
        status: "authorised",
        identifiers: "numbers",
        dates: { "paynet-processing-date": "99.99.9999 99:99" }
      })
      assert.match(findings.join(), /^the status "authorised" is none of the specification: add it to "statuses"/)
      const other = yield* contact(baseUrl, { order: "no-such-order" })
      assert.match(other.findings.join(), /is not answered by its client_orderid alone/)
      assert.isUndefined(other.file.profile.notFound)
    })
  )

  const ambiguous: ReadonlyArray<readonly [what: string, changes: Partial<HabitGateway.Habits>]> = [
    ["has the code and the message of a wrong control", { unknown: announcing.unsigned }],
    ["has the code and the message of a missing field", { unknown: announcing.incomplete }],
    ["every status has", { noStatus: { http: 400, code: "50", message: "Not enabled" } }],
    [
      "names the order in its message and has no code of its own",
      { unknown: { ...announcing.incomplete, message: "Unknown 123456789" } }
    ]
  ]
  it.live.each(ambiguous)("does not take a refusal for that of an unknown order that %s", ([, changes]) =>
    Effect.gen(function* () {
      const { baseUrl } = yield* HabitGateway.start({ ...announcing, ...changes })
      const { file } = yield* contact(baseUrl)
      assert.isUndefined(file.profile.notFound)
      assert.include(file.observed.undetermined.join(), "notFound")
    })
  )

  it.live("finds the dialects of the sandbox, and books nothing there", () =>
    Effect.gen(function* () {
      const context = yield* Layer.build(TestGateway.layer({ merchants: Sandbox.merchants }))
      const { publicBaseUrl } = Context.get(context, NodeServer)
      const json = yield* contact(publicBaseUrl, { merchant: TestRun.settings })
      assert.deepStrictEqual([json.file.profile, json.findings], [{ notFound: [54], typesErrors: true }, []])
      const { controlKey, endpoints, login } = Sandbox.olderMerchant
      const both = { login, controlKey: Redacted.make(controlKey), endpoint: endpoints.usd }
      const either = yield* contact(publicBaseUrl, { merchant: both })
      assert.deepStrictEqual(either.file.profile, { notFound: [54], typesErrors: true })
      const orders = yield* Context.get(context, Store).find(Order, "created", { equals: [], limit: 1 })
      assert.isEmpty(orders)
    })
  )

  it.live("finds that an endpoint answers in the older dialect alone", () =>
    Effect.gen(function* () {
      const { merchants, settings } = TestRun.older
      const { dialect: _, ...older } = settings
      const { file } = yield* contact(yield* TestRun.gateway({ merchants }), { merchant: older })
      assert.deepStrictEqual(file.profile, { answers: "pairs", groupPath: true, notFound: [54], typesErrors: true })
    })
  )

  it.live("does not believe a gateway with another control key, and says so", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* HabitGateway.start(announcing)
      const { file } = yield* contact(baseUrl, { merchant: { ...merchant, controlKey: Redacted.make("wrong") } })
      assert.isUndefined(file.profile.notFound)
      assert.include(file.observed.undetermined.join(), "Check login, endpoint and control key")
    })
  )

  it.live("says that nothing at the address is of this protocol", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* HabitGateway.start(announcing)
      const { message } = yield* Effect.flip(contact(`${baseUrl}/elsewhere`))
      assert.include(message, "no answer is of this protocol")
    })
  )
})

const sale = (clientOrderId: string) => ({ ...payment(), clientOrderId })

describe("the profile of a first contact", () => {
  it.live.each(gateways)("lets a client and its flows speak to the gateway: %s", ([, habits]) =>
    Effect.gen(function* () {
      const { baseUrl, booked } = yield* HabitGateway.start(habits)
      const { file } = yield* contact(baseUrl)
      const path = join(yield* temporaryFolder, "gateway-profile.json")
      writeFileSync(path, ProfileFile.write(file))
      const pay = Pay.client({ baseUrl, login, controlKey, endpointId: endpoint, profile: path })
      const first = yield* Effect.promise(() => pay.cardSale(sale("a-1")))
      assert(first.ok, first.error?.message)
      const again = yield* Effect.promise(() => pay.cardSale(sale("a-1")))
      assert(again.ok, again.error?.message)
      assert.deepStrictEqual([first.order.status, booked], ["approved", ["sale 10.42"]])
      const voided = yield* Effect.promise(() => pay.api.void({ clientOrderId: "a-1", orderId: first.order.orderId }))
      assert(voided.ok, voided.error?.message)
      const form = yield* Effect.promise(() =>
        pay.api.payoutform({
          clientOrderId: "b-1",
          amount: "1.00",
          currency: "USD",
          redirectUrl: "https://shop.example"
        })
      )
      assert.include(form.error?.message, "PAYOUTFORM")
    })
  )

  /** Sells one thing by a flow whose client reads its profile from a file, at a gateway that never receives the first request. */
  const sell = Effect.fnUntraced(function* (
    habits: HabitGateway.Habits,
    change: (profile: ProfileFile.Profile) => object
  ) {
    const { baseUrl, booked } = yield* HabitGateway.start({ ...habits, losesFirstSale: true })
    const { file } = yield* contact(baseUrl)
    const path = join(yield* temporaryFolder, "gateway-profile.json")
    writeFileSync(path, JSON.stringify({ ...file, profile: change(file.profile) }))
    const environment = ConfigProvider.fromEnvRecord({
      PAY_BASE_URL: baseUrl,
      PAY_LOGIN: login,
      PAY_CONTROL_KEY: controlKey,
      PAY_ENDPOINT_ID: endpoint,
      PAY_GATEWAY_PROFILE: path
    })
    const client = Layer.provide(PayClient.layerConfig, ConfigProvider.layer(environment))
    const services = Layer.mergeAll(client, CustomerBrowsers.layerNone, FlowEngine.layerMemory)
    const ending = yield* Effect.flatMap(payloadOf(CardSale), CardSale.execute).pipe(
      FlowSettings.changed({ quietPeriod: "20 millis", pause: "1 millis", mostRepeats: 3 }),
      Effect.map(({ status }) => status),
      Effect.catch(({ _tag }) => Effect.succeed(_tag)),
      Effect.provide(services)
    )
    return [ending, booked.length]
  })

  it.live.each(gateways)("lets a flow send a sale again that the gateway never received: %s", ([, habits]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* sell(habits, (profile) => profile), ["approved", 1])
      assert.deepStrictEqual(yield* sell(habits, ({ notFound: _, ...profile }) => profile), ["StillUnknown", 0])
    })
  )
})
