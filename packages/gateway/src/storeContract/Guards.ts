/**
 * Test cases for guards: a decision whose guard fails writes nothing. Guards are evaluated after all earlier commits, and before
 * the decision's own writes.
 */
import assert from "node:assert/strict"
import { Effect } from "effect"
import { absent, append, balanceAtLeast, type Guard, leaseIs, post, put, versionIs } from "../kernel/Decision.ts"
import { Evidence } from "../kernel/Evidence.ts"
import { Job } from "../kernel/Job.ts"
import { Balance } from "../kernel/LedgerTable.ts"
import { Order } from "../orders/Order.ts"
import { OrderRequest } from "../orders/OrderRequest.ts"
import * as Case from "./Case.ts"
import * as Sample from "./Sample.ts"

const request = (requestId: string, idempotencyKey: string | null) =>
  Sample.blank(OrderRequest, { requestId, merchantId: "m", operation: "CAPTURE", orderId: "1", idempotencyKey })

/** The content of the store before each guard of the table is tried. */
const standing = Case.write(
  put(Order, Sample.order("1", { version: 7 })),
  put(OrderRequest, request("named", "key")),
  put(OrderRequest, request("unnamed", null)),
  put(Job, Sample.item("held", { token: "mine" })),
  put(Job, Sample.item("free")),
  post("account", 100),
  post("overdrawn", -5)
)

const table: ReadonlyArray<readonly [guard: Guard, holds: boolean, why: string]> = [
  [versionIs(Order, ["1"], 7), true, "the version that stands"],
  [versionIs(Order, ["1"], 6), false, "an earlier version"],
  [versionIs(Order, ["1"], 8), false, "a later version"],
  [versionIs(Order, ["none"], 1), false, "a version of a row that is not there"],
  [versionIs(Order, ["none"], 0), false, "version 0 of a row that is not there"],
  [absent(Order, "key", ["2"]), true, "a key that is free"],
  [absent(Order, "key", ["1"]), false, "a key that is taken"],
  [absent(Order, "clientOrder", ["merchant", "client 2"]), true, "a unique key that is free"],
  [absent(Order, "clientOrder", ["other", "client 1"]), true, "a unique key of which another part differs"],
  [absent(Order, "clientOrder", ["merchant", "client 1"]), false, "a unique key that is taken"],
  [absent(OrderRequest, "idempotency", ["m", "CAPTURE", "1", "key"]), false, "a unique key with a nullable part"],
  [absent(OrderRequest, "idempotency", ["m", "CAPTURE", "1", null]), true, "null, which no unique key holds"],
  [leaseIs("held", "mine"), true, "the token that holds the item"],
  [leaseIs("held", "other"), false, "another token"],
  [leaseIs("free", "mine"), false, "an item that nobody holds"],
  [leaseIs("gone", "mine"), false, "an item that is not there"],
  [balanceAtLeast("account", 100), true, "exactly the balance"],
  [balanceAtLeast("account", 101), false, "more than the balance"],
  [balanceAtLeast("none", 0), true, "nothing, of an account that was never posted to"],
  [balanceAtLeast("none", 1), false, "something of an account that was never posted to"],
  [balanceAtLeast("overdrawn", 0), false, "nothing, of an overdrawn account"],
  [balanceAtLeast("overdrawn", -5), true, "as much as it is overdrawn"]
]

const each = table.map(([guard, holds, why]) =>
  Case.make(`${guard._tag} ${holds ? "holds" : "fails"} for ${why}`, (store) =>
    Effect.gen(function* () {
      yield* store.commit(standing)
      const decision = { guards: [guard], writes: [append(Evidence, Sample.evidence("written")), post("account", 1)] }
      if (holds) yield* store.commit(decision)
      else yield* Case.expectGuardFailed(store, decision)
      assert.strictEqual((yield* store.load(Evidence, ["written"])) !== undefined, holds)
      assert.strictEqual((yield* store.load(Balance, ["account"]))?.minor, holds ? 101 : 100)
    })
  )
)

export const cases: ReadonlyArray<Case.Case> = [
  ...each,

  Case.make("the first guard that fails is the one reported, and none of the writes happen", (store) =>
    Effect.gen(function* () {
      yield* store.commit(standing)
      const guards = [versionIs(Order, ["1"], 7), leaseIs("held", "other"), balanceAtLeast("account", 1000)]
      yield* Case.expectGuardFailed(store, { guards, writes: [put(Order, Sample.order("2"))] }, 1)
      assert.strictEqual(yield* store.load(Order, ["2"]), undefined)
    })
  ),

  Case.make("guards are asked before the decision's own writes", (store) =>
    Effect.gen(function* () {
      yield* store.commit({
        guards: [absent(Order, "key", ["1"]), balanceAtLeast("a", 0)],
        writes: [append(Order, Sample.order("1")), post("a", -1)]
      })
      assert.strictEqual((yield* store.load(Balance, ["a"]))?.minor, -1)
    })
  ),

  Case.make("50 at once want one key: one gets it", (store) =>
    Effect.gen(function* () {
      const decisions = Array.from({ length: 50 }, (_, n) => ({
        guards: [absent(Order, "clientOrder", ["merchant", "wanted"])],
        writes: [append(Order, Sample.order(`${n}`, { clientOrderId: "wanted" })), post("account", 1)]
      }))
      assert.strictEqual(yield* Case.race(store, decisions), 1)
      assert.strictEqual((yield* store.load(Balance, ["account"]))?.minor, 1)
    })
  ),

  Case.make("50 at once change one version: one does", (store) =>
    Effect.gen(function* () {
      yield* store.commit(standing)
      const decisions = Array.from({ length: 50 }, (_, n) => ({
        guards: [versionIs(Order, ["1"], 7)],
        writes: [put(Order, Sample.order("1", { version: 8, amountMinor: n })), post("account", 1)]
      }))
      assert.strictEqual(yield* Case.race(store, decisions), 1)
      assert.strictEqual((yield* store.load(Balance, ["account"]))?.minor, 101)
    })
  ),

  Case.make("50 at once draw on one balance: it is used up and never overdrawn", (store) =>
    Effect.gen(function* () {
      yield* store.commit(Case.write(post("account", 205)))
      const draw = { guards: [balanceAtLeast("account", 10)], writes: [post("account", -10)] }
      assert.strictEqual(
        yield* Case.race(
          store,
          Array.from({ length: 50 }, () => draw)
        ),
        20
      )
      assert.strictEqual((yield* store.load(Balance, ["account"]))?.minor, 5)
    })
  ),

  Case.make("a failed guard harms no neighbour", (store) =>
    Effect.gen(function* () {
      yield* store.commit(standing)
      const decisions = Array.from({ length: 40 }, (_, n) => ({
        guards: [versionIs(Order, ["1"], n % 2 === 0 ? 7 : 0)],
        writes: [append(Evidence, Sample.evidence(`${n}`))]
      }))
      assert.strictEqual(yield* Case.race(store, decisions), 20)
      for (let n = 0; n < 40; n++) {
        assert.strictEqual((yield* store.load(Evidence, [`${n}`])) !== undefined, n % 2 === 0)
      }
    })
  )
]
