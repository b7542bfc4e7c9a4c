import { assert, layer } from "@effect/vitest"
import * as Decision from "@pay/gateway/Decision"
import { LedgerEntry, Order, OrderRequest } from "@pay/gateway/Entities"
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

layer(TestGateway.layer(), { excludeTestServices: true })("reconciliation", (it) => {
  it.effect("finds a movement in the ledger that no request made", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const { order, request } = yield* returnedSale
      const writes = [
        [settlement, 5],
        [receivable, -5]
      ] as const
      const entry = { orderId: order.orderId, requestId: request.requestId, cause: "seeded", atMs: order.createdAtMs }
      yield* store.commit({
        guards: [],
        writes: writes.flatMap(([account, minor]) => [
          Decision.append(LedgerEntry, { ...entry, entryId: `seeded:${account}`, account, minor }),
          Decision.post(account, minor)
        ])
      })
      const where = [settlement, receivable].map((account) => `order ${order.orderId}: ${account}`)
      assert.sameMembers([...new Set(yield* findings)], where)
    })
  )
})

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
