/** Payer and recipient marked alike: a transfer's cards turn up in no file, row, log, span, answer or callback. */
import { assert, it } from "@effect/vitest"
import { approve } from "@pay/sandbox/Outcome"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import * as OAuthKey from "@pay/signing/OAuth"
import { Effect } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as Transfers from "../harness/Transfers.ts"
import * as Marks from "./Marks.ts"
import * as Witness from "./Witness.ts"

const { endpoints } = TestGateway
const cards = { credit_card_number: Marks.pan, cvv2: Marks.cvv, "destination-card-no": Marks.pan }
const fromBalance = {
  credit_card_number: undefined,
  card_printed_name: undefined,
  expire_month: undefined,
  expire_year: undefined,
  cvv2: undefined,
  deposit2card: "true",
  "destination-card-no": Marks.pan
}

/** Sent with an address for the outcome; the answer is kept. */
const askFor = Effect.fnUntraced(function* <R>(
  ask: (fields: Transfers.Fields) => Effect.Effect<TestGateway.Reply, never, R>,
  fields: Transfers.Fields
) {
  const { add, url } = yield* Witness.Witness
  const reply = yield* ask({ server_callback_url: url, ...fields })
  add("answers", JSON.stringify([reply.status, reply.headers, reply.body]))
  yield* TestMerchant.settled
  return reply
})

const statusOf = Effect.fnUntraced(function* (order: TestMerchant.Order, endpointId: string) {
  const { add } = yield* Witness.Witness
  const body = yield* TestMerchant.status(order, { endpointId, key: Marks.controlKey })
  add("answers", JSON.stringify(body))
  return body.status
})

const flows = Effect.gen(function* () {
  const { next } = yield* SandboxControl
  const orders: Array<TestMerchant.Order> = []
  const made = Effect.fnUntraced(function* <R>(
    expected: string,
    ask: (fields: Transfers.Fields) => Effect.Effect<TestGateway.Reply, never, R>,
    fields: Transfers.Fields,
    endpointId: string = endpoints.usd
  ) {
    const reply = yield* askFor(ask, fields)
    TestMerchant.assertAccepted(reply)
    orders.push(TestMerchant.nameOf(reply))
    assert.strictEqual(yield* statusOf(TestMerchant.nameOf(reply), endpointId), expected)
  })
  yield* next("authorize", { verdict: approve })
  yield* made("approved", Transfers.transfer, cards)
  yield* made("declined", Transfers.transfer, cards)
  yield* next("authorize", { verdict: approve, delivery: { _tag: "Undecided" } })
  yield* made("unknown", Transfers.transfer, cards)
  yield* made("approved", Transfers.transfer, fromBalance)
  yield* made("approved", Transfers.byRef, { "destination-card-no": Marks.pan })
  const hmac = { key: OAuthKey.hmac(Marks.controlKey) }
  yield* made("approved", (fields) => Transfers.eligible(fields, hmac), { "sending-card-number": Marks.pan })
  const { threedsMerchant: endpointId } = endpoints
  const back = { redirect_url: "https://shop.example/back" }
  yield* made("processing", (fields) => Transfers.transfer(fields, { endpointId }), { ...cards, ...back }, endpointId)
  const wrong: ReadonlyArray<Transfers.Fields> = [
    { "destination-card-no": Marks.mistypedPan },
    { credit_card_number: Marks.mistypedPan },
    { client_orderid: "again", "destination-card-no": Marks.pan, expire_year: "2020" },
    { destination_card_recurring_payment_id: Marks.pan },
    { order_desc: "x", amount: Marks.pan }
  ]
  for (const fields of wrong) {
    const reply = yield* askFor(Transfers.transfer, { ...cards, ...fields })
    assert.strictEqual(reply.status, 400)
  }
  return orders
})

it.live("a transfer shows neither of its cards", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const { kept } = yield* Witness.Witness
    const [orders, files] = yield* Effect.gen(function* () {
      const orders = yield* flows
      return [orders, [...(yield* Witness.folder(folder)), yield* Witness.metrics]] as const
    }).pipe(Effect.provide(Witness.gateway(folder), { local: true }))
    const names = orders.flatMap(({ client_orderid, orderid }) => [client_orderid, orderid])
    assert.lengthOf(orders, 7)
    assert.isAbove(files.find(({ name }) => name === "table payouts")?.bytes.length ?? 0, 100, "recipients, encrypted")
    assert.deepStrictEqual(Marks.find(files, names), [])
    assert.deepStrictEqual(Marks.find(yield* Witness.folder(folder), names), [])
    assert.includeMembers(
      kept().map(({ name }) => name),
      ["answers", "callbacks", "spans"]
    )
    assert.deepStrictEqual(Marks.find(kept(), names), [])
  }).pipe(Effect.provide(Witness.layer, { local: true }))
)
