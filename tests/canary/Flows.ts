/** Every operation once with the marked card: requests that succeed, that fail, that are refused and that cause a defect. */
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert } from "@effect/vitest"
import { approve, type Scenario } from "@pay/sandbox/Outcome"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import * as PayApi from "@pay/schema/PayApi"
import * as PayClient from "@pay/transport/PayClient"
import { Effect, Layer, Redacted } from "effect"
import { request } from "undici"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as Marks from "./Marks.ts"
import * as Witness from "./Witness.ts"

const { endpoints, login } = TestGateway

const card: TestMerchant.Fields = { credit_card_number: Marks.pan, cvv2: Marks.cvv }
const approved: Scenario = { verdict: approve }
const usd = (amount: string): TestMerchant.Fields => ({ amount, currency: "USD" })

const create = Effect.fnUntraced(function* (
  name: TestMerchant.Creation,
  plan: Scenario | undefined,
  fields: TestMerchant.Fields = {},
  options: TestMerchant.Options = {}
) {
  const { url } = yield* Witness.Witness
  const { next } = yield* SandboxControl
  if (plan !== undefined) yield* next("authorize", plan)
  const urls = { server_callback_url: url, notify_url: `${url}/notify` }
  return yield* Witness.kept(
    TestMerchant.create(name, { ...card, ...urls, ...fields }, { key: Marks.controlKey, ...options })
  )
})

const order = Effect.fnUntraced(function* (
  name: TestMerchant.Creation,
  plan: Scenario | undefined,
  fields?: TestMerchant.Fields
) {
  const reply = yield* create(name, plan, fields)
  TestMerchant.assertAccepted(reply)
  yield* TestMerchant.settled
  return TestMerchant.nameOf(reply)
})

const act = (
  name: TestMerchant.FollowUp,
  of: TestMerchant.Order,
  fields?: TestMerchant.Fields,
  headers: TestMerchant.Fields = {}
) =>
  Effect.tap(
    Witness.kept(TestMerchant.act(name, of, fields, { key: Marks.controlKey, headers })),
    () => TestMerchant.settled
  )

const statusOf = Effect.fnUntraced(function* ({ client_orderid, orderid }: TestMerchant.Order, expected: string) {
  const fields = { login, client_orderid, orderid }
  const reply = yield* Witness.kept(TestGateway.post(PayApi.operations.STATUS, fields, { key: Marks.controlKey }))
  assert.deepInclude(reply.body, { status: expected })
})

/** Payments that wait for the bank, with their security codes: identifiers of their orders. */
export const waiting = Effect.gen(function* () {
  const replies = [yield* create("SALE", undefined), yield* create("PREAUTH", undefined)]
  return replies.map(TestMerchant.nameOf)
})

/** Payments and follow-ups of every outcome. */
export const outcomes = Effect.gen(function* () {
  const context = yield* order("PREAUTH", approved)
  const key = { "idempotency-key": "once" }
  yield* act("CAPTURE", context, usd("4.00"), key)
  yield* act("CAPTURE", context, usd("4.00"), key)
  yield* act("CAPTURE", context, usd("4.00"))
  yield* act("CAPTURE", context, usd("5.00"), key)
  yield* act("RETURN", context, usd("1.00"))
  yield* act("VOID", context)
  yield* statusOf(context, "approved")
  const sold = yield* order("SALE", approved)
  yield* act("CAPTURE", sold)
  yield* act("RETURN", sold)
  const declined = yield* order("SALE", undefined)
  yield* statusOf(declined, "declined")
  const unknown = yield* order("SALE", { ...approved, delivery: { _tag: "Undecided" } })
  yield* statusOf(unknown, "unknown")
  const late = yield* order("PREAUTH", { ...approved, delivery: { _tag: "NeverArrives", times: 2 } })
  yield* statusOf(late, "unknown")
  const unsent = yield* order("PREAUTH", { ...approved, delivery: { _tag: "NotSent" } })
  yield* TestMerchant.pass("20 minutes")
  yield* statusOf(late, "approved")
  yield* TestMerchant.pass("8 days")
  yield* statusOf(unsent, "error")
  const reply = yield* create("SALE", undefined, usd("100.01"), { endpointId: endpoints.limited })
  yield* TestMerchant.settled
  const filtered = TestMerchant.nameOf(reply)
  yield* statusOf(filtered, "filtered")
  return [context, sold, declined, unknown, late, unsent, filtered]
})

/** Requests that are refused, in the order of the stages, and repetitions. */
export const refusals = Effect.gen(function* () {
  const statuses: Array<number> = []
  const refused = <E, R>(reply: Effect.Effect<TestGateway.Reply, E, R>) =>
    Effect.map(Witness.kept(reply), ({ status }) => statuses.push(status))
  const path = `/api/v2/sale/${endpoints.usd}`
  const body = `credit_card_number=${Marks.pan}&cvv2=${Marks.cvv}`
  const secrets = `${Marks.pan}/${Marks.cvv}/${Marks.controlKey}`

  yield* refused(TestGateway.raw({ path: `/api/v2/sale/${secrets}`, body }))
  yield* refused(TestGateway.raw({ path: `/${secrets}?${body}`, body }))
  yield* refused(TestGateway.raw({ path, body, headers: { ...TestGateway.standardHeaders, accept: Marks.pan } }))
  yield* refused(TestGateway.raw({ path, body: `${body}&%zz=${Marks.pan}` }))
  yield* refused(TestGateway.raw({ path, body: Buffer.concat([Buffer.from(body), Buffer.from([0xff])]) }))
  yield* refused(TestGateway.raw({ path, body: `${body}&x=${"x".repeat(300_000)}` }))
  yield* refused(TestGateway.raw({ path, body: `${body}&control=${Marks.controlKey}` }))
  yield* refused(create("SALE", undefined, {}, { key: `${Marks.controlKey}x` }))
  const spaced = Marks.pan.replace(/(....)(?=.)/g, "$1 ")
  const wrong: ReadonlyArray<TestMerchant.Fields> = [
    { credit_card_number: Marks.mistypedPan },
    { cvv2: `${Marks.cvv} ${Marks.pan}` },
    { expire_year: "2020" },
    { expire_month: Marks.pan },
    { amount: Marks.pan },
    { currency: Marks.pan },
    { email: Marks.pan },
    { country: Marks.pan },
    { server_callback_url: `http://${Marks.pan}@shop.example/` },
    { redirect_url: `http://${Marks.pan}:x` },
    { order_desc: `paid by ${Marks.pan} 12/35` },
    { client_orderid: spaced },
    { client_orderid: `x${Marks.pan}1235` },
    { address1: spaced.replaceAll(" ", "\u00a0") },
    { server_callback_url: `https://shop.example/?card=${encodeURIComponent(spaced)}` },
    { first_name: Marks.cvv },
    { order_desc: spaced.replaceAll(" ", "#") },
    { merchant_data: spaced.replaceAll(" ", " (") },
    { city: `${Marks.pan}~` }
  ]
  for (const fields of wrong) yield* refused(create("SALE", undefined, fields))
  yield* refused(create("SALE", undefined, {}, { change: (fields) => ({ ...fields, "client-order-id": Marks.pan }) }))

  const unknownOrder = { login, client_orderid: "nobodys", orderid: Marks.pan }
  yield* refused(TestGateway.post(PayApi.operations.STATUS, unknownOrder, { key: Marks.controlKey }))

  const headers = { ...TestGateway.standardHeaders, "idempotency-key": Marks.pan }
  TestMerchant.assertAccepted(yield* Witness.kept(create("SALE", approved, {}, { headers })))

  const { client_orderid } = yield* order("SALE", approved, { nobody_asked_for_it: Marks.mistypedPan })
  const again = yield* create("SALE", undefined, { client_orderid, nobody_asked_for_it: Marks.mistypedPan })
  TestMerchant.assertAccepted(again)
  yield* refused(create("SALE", undefined, { client_orderid, credit_card_number: "4444555566661111" }))
  assert.isTrue(
    statuses.every((status) => status >= 400 && status < 500),
    statuses.join()
  )
  assert.sameMembers([...new Set(statuses)], [400, 404, 413])
  return [TestMerchant.nameOf(again)]
})

/** A payment that the database cannot store: the failure is logged, and the merchant gets an error. */
export const breakdown = Effect.fnUntraced(function* (dataDirectory: string) {
  const change = (sql: string) =>
    Effect.sync(() => {
      const database = new DatabaseSync(join(dataDirectory, "gateway.db"))
      database.exec(sql)
      database.close()
    })
  yield* change("ALTER TABLE cards RENAME TO gone")
  const { status } = yield* create("SALE", undefined)
  yield* change("ALTER TABLE gone RENAME TO cards")
  assert.include([500, 503], status)
})

/** Errors of the typed client: no connection, no answer, a refusal. */
export const clientErrors = Effect.gen(function* () {
  const { add, url } = yield* Witness.Witness
  const { SALE } = PayApi.operations
  const payment = yield* Effect.fromResult(SALE.decodeFields({ ...TestGateway.saleFields, ...card, login }))
  const settings = { login, controlKey: Redacted.make(Marks.controlKey), endpointId: endpoints.usd }
  const fail = Effect.fnUntraced(function* (changes: Partial<typeof payment>, baseUrl?: string) {
    const sale = Effect.flatMap(PayClient.PayClient, (client) => client.sale({ ...payment, ...changes }))
    const error = yield* Effect.flip(
      baseUrl === undefined ? sale : Effect.provide(sale, PayClient.layer({ ...settings, baseUrl }), { local: true })
    )
    add("errors", Witness.spoken(error))
    return error._tag
  })
  return [
    yield* fail({ amount: "ten" }),
    yield* fail({ expire_year: 2020 }),
    yield* fail({}, "http://127.0.0.1:9"),
    yield* fail({}, url)
  ]
})

/** The marked merchant's typed client, on the gateway of the context. */
export const client = (baseUrl: string) =>
  PayClient.layer({
    baseUrl,
    login,
    controlKey: Redacted.make(Marks.controlKey),
    endpointId: endpoints.usd
  }).pipe(Layer.orDie)

/** What anybody can read of the machine: not a payment, and not a secret either. */
export const operator = Effect.fnUntraced(function* (baseUrl: string) {
  const { add } = yield* Witness.Witness
  for (const path of ["/healthz", "/readyz", "/", `/${Marks.pan}`]) {
    add("answers", yield* Effect.promise(async () => (await request(baseUrl + path)).body.text()))
  }
})
