import { assert, layer } from "@effect/vitest"
import * as Decision from "@pay/gateway/Decision"
import { Balance, LedgerEntry, Order, OrderRequest } from "@pay/gateway/Entities"
import * as Reconciliation from "@pay/gateway/Reconciliation"
import { Store } from "@pay/gateway/Store"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { Effect } from "effect"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const { endpoints, login } = TestGateway
const account = (name: string): string => `${login}/${endpoints.usd}/USD/${name}`
const settlement = account("merchant_settlement")
const receivable = account("acquirer_receivable")

interface Rows {
  readonly order: Order
  readonly request: OrderRequest
  readonly entries: ReadonlyArray<LedgerEntry>
}

const entry = ({ order, request }: Rows, into: string, minor: number): Decision.Write =>
  Decision.append(LedgerEntry, {
    entryId: `${request.requestId}:seeded:${into}`,
    orderId: order.orderId,
    requestId: request.requestId,
    cause: "seeded",
    account: into,
    minor,
    atMs: order.createdAtMs
  })

/** What is broken behind the gateway's back, and where it must show; `order` stands for the order's own lines. */
const seeds: ReadonlyArray<
  readonly [name: string, writes: (observed: Rows) => ReadonlyArray<Decision.Write>, where: ReadonlyArray<string>]
> = [
  [
    "an extra entry with an adjusted balance",
    (observed) => [entry(observed, settlement, 5), Decision.post(settlement, 5)],
    ["movement", `order: ${settlement}`]
  ],
  [
    "an extra movement",
    (observed) => [
      entry(observed, settlement, 5),
      entry(observed, receivable, -5),
      Decision.post(settlement, 5),
      Decision.post(receivable, -5)
    ],
    [`order: ${settlement}`, `order: ${receivable}`]
  ],
  [
    "an entry without its balance",
    (observed) => [entry(observed, settlement, 5)],
    ["movement", `balance ${settlement}`, `order: ${settlement}`]
  ],
  [
    "a movement in accounts without a balance",
    (observed) => [entry(observed, account("payout_available"), 5), entry(observed, account("payout_held"), -5)],
    ["payout_available", "payout_held"].flatMap((name) => [`balance ${account(name)}`, `order: ${account(name)}`])
  ],
  ["a balance changed without entries", () => [Decision.post(settlement, 5)], [`balance ${settlement}`]],
  [
    "a balance overwritten",
    () => [Decision.put(Balance, { account: settlement, minor: 0 })],
    [`balance ${settlement}`]
  ],
  [
    "an account without entries",
    () => [Decision.post(account("payout_available"), 5)],
    [`balance ${account("payout_available")}`]
  ],
  [
    "more captured than authorized",
    ({ order }) => [Decision.put(Order, { ...order, capturedMinor: order.capturedMinor + 1 })],
    ["order: captured", `order: ${settlement}`, `order: ${receivable}`, "order: captured at the bank"]
  ],
  [
    "a return without a booking",
    ({ order }) => [Decision.put(Order, { ...order, returnedMinor: order.returnedMinor + 1 })],
    [`order: ${settlement}`, `order: ${receivable}`, "order: refunded at the bank"]
  ],
  [
    "more returned than captured",
    ({ order }) => [Decision.put(Order, { ...order, returnedMinor: 2000 })],
    ["order: returned", `order: ${settlement}`, `order: ${receivable}`, "order: refunded at the bank"]
  ],
  [
    "an authorization of another amount",
    ({ order }) => [Decision.put(Order, { ...order, authorizedMinor: 5000 })],
    ["order: authorised at the bank"]
  ],
  [
    "an amount under way without a request",
    ({ order }) => [Decision.put(Order, { ...order, returningMinor: 1 })],
    ["order: amount being returned"]
  ],
  [
    "a request under way that the order does not count",
    ({ request }) => [Decision.put(OrderRequest, { ...request, progress: "moving" })],
    ["order: amount being returned", "order: follow-ups under way"]
  ],
  [
    "an order in another account",
    ({ order }) => [Decision.put(Order, { ...order, endpointId: endpoints.eur })],
    [`order: ${settlement}`, `order: ${receivable}`, "order: elsewhere"]
  ]
]

/** A sale of 10.42 of which 4.00 went back. */
const returnedSale = Effect.gen(function* () {
  const store = yield* Store
  const { orderid } = yield* TestMerchant.order("SALE").pipe(
    Effect.tap((order) => TestMerchant.done("RETURN", order, { amount: "4.00", currency: "USD" }))
  )
  const order = yield* store.load(Order, [orderid])
  const entries = yield* store.find(LedgerEntry, "order", { equals: [orderid], limit: 10 })
  const [request] = yield* store.find(OrderRequest, "order", { equals: [orderid], limit: 10, descending: true })
  assert(order !== undefined && request !== undefined && entries.length === 4)
  return { order, request, entries }
})

const findings = Effect.map(Reconciliation.check, ({ findings }) => findings.map(({ where }) => where))

for (const [name, writes, expected] of seeds) {
  layer(TestGateway.layer(), { excludeTestServices: true })("reconciliation", (it) => {
    it.effect(`finds ${name}`, () =>
      Effect.gen(function* () {
        const store = yield* Store
        const observed = yield* returnedSale
        yield* TestMerchant.order("PREAUTH")
        yield* TestMerchant.assertClean
        yield* store.commit({ guards: [], writes: writes(observed) })
        const elsewhere = new RegExp(`/${endpoints.eur}/`)
        const find = (yield* findings).map((where) =>
          where
            .replace(`order ${observed.order.orderId}`, "order")
            .replace(/^movement .*/, "movement")
            .replace(/^order: .*$/, (line) => (elsewhere.test(line) ? "order: elsewhere" : line))
        )
        assert.sameMembers([...new Set(find)], [...expected])
      })
    )
  })
}

layer(TestGateway.layer(), { excludeTestServices: true })("reconciliation", (it) => {
  it.effect("finds bookings that the bank does not know", () =>
    Effect.gen(function* () {
      const { order } = yield* returnedSale
      yield* (yield* SandboxControl).reset
      assert.deepStrictEqual(
        yield* findings,
        ["authorised", "captured", "refunded"].map((what) => `order ${order.orderId}: ${what} at the bank`)
      )
    })
  )

  it.effect("is protected by a store that refuses to change or delete entries", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const { entries } = yield* returnedSale
      const [first] = entries
      assert(first !== undefined)
      for (const write of [
        Decision.put(LedgerEntry, { ...first, minor: 0 }),
        Decision.remove(LedgerEntry, [first.entryId]),
        Decision.append(LedgerEntry, first)
      ]) {
        assert((yield* Effect.exit(store.commit({ guards: [], writes: [write] })))._tag === "Failure")
      }
      assert.deepStrictEqual(yield* store.load(LedgerEntry, [first.entryId]), first)
    })
  )
})
