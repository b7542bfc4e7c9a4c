/** The checks of the ledger and of acknowledged requests report each kind of error. */
import type * as Decision from "@pay/gateway/Decision"
import { Fund, LedgerEntry } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import * as StoreMemory from "@pay/gateway/StoreMemory"
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import * as ShadowStore from "../ShadowStore.ts"
import { problems } from "./Durability.ts"
import * as LedgerSums from "./LedgerSums.ts"

const funding = Fund.decide({
  ...{ reference: "r", merchantId: "m", endpointId: "1", currency: "USD", amountMinor: 100, createdAtMs: 1 }
})

/** Returns what the checks report about a commit, and about all rows after it. */
const problemsOf = (decision: Decision.Decision) =>
  Effect.runPromise(
    Effect.gen(function* () {
      const committed = ShadowStore.make()
      const violations: Array<string> = []
      committed.observe((changes) => void violations.push(...LedgerSums.ofCommit(changes)))
      yield* committed.watch(yield* Store).commit(decision)
      return [...violations, ...LedgerSums.all(committed)]
    }).pipe(Effect.provide(StoreMemory.layer))
  )

const without = (keep: (write: Decision.Write) => boolean) =>
  problemsOf({ ...funding, writes: funding.writes.filter(keep) })
const isOf = (write: Decision.Write, entity: unknown) => "entity" in write && write.entity === entity

describe("the check of the ledger", () => {
  it("accepts a complete movement", async () => {
    assert.deepStrictEqual(await problemsOf(funding), [])
  })

  it("reports balances that change without entries, and entries without balances", async () => {
    const report = (await without((write) => !isOf(write, LedgerEntry))).join()
    assert.include(report, "changed by 100 without entries")
    assert.include(report, "is wrong by 100")
    assert.include((await without(({ _tag }) => _tag !== "Post")).join(), "is wrong by -100")
  })

  it("reports a movement that does not sum to zero", async () => {
    let entries = 0
    const violations = await without((write) => !isOf(write, LedgerEntry) || ++entries > 1)
    assert.match(violations.join(), /movement .* sums to/)
  })

  it("reports a payable balance that was never funded", async () => {
    assert.include(
      (await without((write) => !isOf(write, Fund.Funding))).join(),
      "has 100 more than funding and payouts leave"
    )
  })
})

describe("the check of acknowledged requests", () => {
  it.each([
    ["/api/v2/sale", { "paynet-order-id": "17" }],
    ["/api/v2/capture", { "serial-number": "00000000-0000-0000-0188-ace700085002" }],
    ["/api/v2/create-card-ref", { "card-ref-id": "18" }],
    ["/api/v4/create-recurring-payment", { "recurring-payment-id": "19" }]
  ])("reports an answer of %s that names a row which the store does not have", async (path, answer) => {
    const exchange = { path, body: "client_orderid=a", status: 200, answer: JSON.stringify(answer) }
    const violations = await Effect.runPromise(
      Effect.flatMap(Store, (store) => problems(store, exchange)).pipe(Effect.provide(StoreMemory.layer))
    )
    assert.match(violations.join(), /is missing/)
  })
})
