import { assert, layer } from "@effect/vitest"
import * as Decision from "@pay/gateway/Decision"
import { Fund, LedgerEntry, Order } from "@pay/gateway/Entities"
import * as Reconciliation from "@pay/gateway/Reconciliation"
import { Store } from "@pay/gateway/Store"
import { RailControl } from "@pay/sandbox/RailControl"
import { Effect } from "effect"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestPayouts from "../harness/TestPayouts.ts"

const { endpoints, login } = TestGateway
const account = (name: string): string => `${login}/${endpoints.usd}/USD/${name}`
const [available, context, rail] = ["payout_available", "payout_held", "payout_rail"].map(account)

const entry = (orderId: string, into: string, minor: number): ReadonlyArray<Decision.Write> => [
  Decision.append(LedgerEntry, {
    entryId: `${orderId}:seeded:${into}`,
    orderId,
    requestId: orderId,
    cause: "seeded",
    account: into,
    minor,
    atMs: 1
  }),
  Decision.post(into, minor)
]

/** What is broken behind the gateway's back of one payout that is paid, and where it must show. */
const seeds: ReadonlyArray<
  readonly [name: string, writes: (order: Order) => ReadonlyArray<Decision.Write>, where: ReadonlyArray<string>]
> = [
  [
    "money released for a paid payout",
    ({ orderId }) => [...entry(orderId, rail ?? "", -1042), ...entry(orderId, available ?? "", 1042)],
    [`order: ${available}`, `order: ${rail}`]
  ],
  [
    "money held for an order that has ended",
    ({ orderId }) => [...entry(orderId, available ?? "", -5), ...entry(orderId, context ?? "", 5)],
    [`order: ${available}`, `order: ${context}`]
  ],
  [
    "a declined payout that the rail paid",
    (order) => [Decision.put(Order, { ...order, state: "declined" })],
    [`order: ${available}`, `order: ${rail}`, "order: paid by the rail"]
  ],
  [
    "a posting without an operator",
    () => [...entry("fund:nobody", available ?? "", 500), ...entry("fund:nobody", account("operator_funding"), -500)],
    ["movement fund:nobody:seeded"]
  ],
  [
    "a posting without its money",
    () => [
      Decision.append(Fund.Funding, {
        reference: "lost",
        merchantId: login,
        endpointId: endpoints.usd,
        currency: "USD",
        amountMinor: 5,
        createdAtMs: 1
      })
    ],
    [`funding lost: ${available}`]
  ]
]

for (const [name, writes, expected] of seeds) {
  layer(TestGateway.layer(), { excludeTestServices: true })("reconciliation of payouts", (it) => {
    it.effect(`finds ${name}`, () =>
      Effect.gen(function* () {
        const store = yield* Store
        const { orderid } = yield* TestPayouts.made("PAYOUT")
        yield* TestPayouts.made("PAYOUT_V4_CHECK")
        yield* TestPayouts.assertClean
        const order = yield* store.load(Order, [orderid])
        assert(order !== undefined)
        yield* store.commit({ guards: [], writes: writes(order) })
        const find = (yield* Reconciliation.check).findings.map(({ where }) =>
          where.replace(`order ${orderid}`, "order")
        )
        assert.sameMembers([...new Set(find)], [...expected])
      })
    )
  })
}

layer(TestGateway.layer(), { excludeTestServices: true })("reconciliation of payouts", (it) => {
  it.effect("finds a payout that the rail does not know", () =>
    Effect.gen(function* () {
      const { orderid } = yield* TestPayouts.made("PAYOUT")
      yield* (yield* RailControl).reset
      const find = (yield* Reconciliation.check).findings.map(({ where }) => where)
      assert.deepStrictEqual(find, [`order ${orderid}: paid by the rail`])
    })
  )
})
