/**
 * Test cases for guards: a decision whose guard fails writes nothing. Guards are evaluated after all earlier commits, and before
 * the decision's own writes.
 */
import assert from "node:assert/strict"
import { Effect } from "effect"
import {
  absent,
  append,
  balanceAtLeast,
  balanceHasRoom,
  type Guard,
  leaseIs,
  maxBalance,
  post,
  put,
  versionIs
} from "../kernel/Decision.ts"
import { Evidence } from "../kernel/Evidence.ts"
import { Job } from "../kernel/Job.ts"
import { Balance } from "../kernel/LedgerTable.ts"
import { Order } from "../orders/record/Order.ts"
import { OrderRequest } from "../orders/record/OrderRequest.ts"
import * as Case from "./Case.ts"
import * as Sample from "./Sample.ts"

const request = (requestId: string, idempotencyKey: string | null) =>
  Sample.blank(OrderRequest, { requestId, merchantId: "m", operation: "CAPTURE", orderId: "1", idempotencyKey })

/** The content of the store before each guard of the table is tested. */
const existingRows = Case.write(
  put(Order, Sample.order("1", { version: 7 })),
  put(OrderRequest, request("named", "key")),
  put(OrderRequest, request("unnamed", null)),
  put(Job, Sample.job("held", { token: "mine" })),
  put(Job, Sample.job("free")),
  post("account", 100),
  post("overdrawn", -5),
  put(Balance, { account: "full", minor: maxBalance - 7n }),
  put(Balance, { account: "owing", minor: 7n - maxBalance }),
  put(Balance, { account: "past", minor: maxBalance + 5n })
)

const table: ReadonlyArray<readonly [guard: Guard, holds: boolean, why: string]> = [
  [versionIs(Order, ["1"], 7), true, "the current version"],
  [versionIs(Order, ["1"], 6), false, "an earlier version"],
  [versionIs(Order, ["1"], 8), false, "a later version"],
  [versionIs(Order, ["none"], 1), false, "a version of a missing row"],
  [versionIs(Order, ["none"], 0), false, "version 0 of a missing row"],
  [absent(Order, "key", ["2"]), true, "an unused key"],
  [absent(Order, "key", ["1"]), false, "a used key"],
  [absent(Order, "clientOrder", ["merchant", "client 2"]), true, "an unused unique key"],
  [absent(Order, "clientOrder", ["other", "client 1"]), true, "a unique key that differs in another part"],
  [absent(Order, "clientOrder", ["merchant", "client 1"]), false, "a used unique key"],
  [absent(OrderRequest, "idempotency", ["m", "CAPTURE", "1", "key"]), false, "a used unique key with a nullable part"],
  [absent(OrderRequest, "idempotency", ["m", "CAPTURE", "1", null]), true, "null, which no unique key contains"],
  [leaseIs("held", "mine"), true, "the token of the job"],
  [leaseIs("held", "other"), false, "another token"],
  [leaseIs("free", "mine"), false, "a job without a lease"],
  [leaseIs("free", null), true, "no token, and the job has none"],
  [leaseIs("held", null), false, "no token, and the job has one"],
  [leaseIs("gone", null), false, "no token of a missing job"],
  [leaseIs("gone", "mine"), false, "a missing job"],
  [balanceAtLeast("account", 100), true, "exactly the balance"],
  [balanceAtLeast("account", 101), false, "more than the balance"],
  [balanceAtLeast("none", 0), true, "zero of an account without postings"],
  [balanceAtLeast("none", 1), false, "more than zero of an account without postings"],
  [balanceAtLeast("overdrawn", 0), false, "zero of an overdrawn account"],
  [balanceAtLeast("overdrawn", -5), true, "the negative balance of an overdrawn account"],
  [balanceHasRoom("none", 1), true, "an account without postings"],
  [balanceHasRoom("full", 7), true, "a posting that takes the account to its limit"],
  [balanceHasRoom("full", 8), false, "a posting that takes the account past its limit"],
  [balanceHasRoom("full", -Number.MAX_SAFE_INTEGER), true, "a posting towards zero"],
  [balanceHasRoom("owing", -7), true, "a posting that takes the account to its lower limit"],
  [balanceHasRoom("owing", -8), false, "a posting that takes the account past its lower limit"],
  [balanceHasRoom("past", -1), true, "a posting towards zero of an account that is past its limit"],
  [balanceHasRoom("past", 1), false, "any other posting to an account that is past its limit"]
]

const each = table.map(([guard, holds, why]) =>
  Case.make(`${guard._tag} ${holds ? "holds" : "fails"} for ${why}`, (store) =>
    Effect.gen(function* () {
      yield* store.commit(existingRows)
      const decision = { guards: [guard], writes: [append(Evidence, Sample.evidence("written")), post("account", 1)] }
      if (holds) yield* store.commit(decision)
      else yield* Case.expectGuardFailed(store, decision)
      assert.strictEqual((yield* store.load(Evidence, ["written"])) !== undefined, holds)
      assert.strictEqual((yield* store.load(Balance, ["account"]))?.minor, holds ? 101n : 100n)
    })
  )
)

export const cases: ReadonlyArray<Case.Case> = [
  ...each,

  Case.make("the first failed guard is reported, and nothing is written", (store) =>
    Effect.gen(function* () {
      yield* store.commit(existingRows)
      const guards = [versionIs(Order, ["1"], 7), leaseIs("held", "other"), balanceAtLeast("account", 1000)]
      yield* Case.expectGuardFailed(store, { guards, writes: [put(Order, Sample.order("2"))] }, 1)
      assert.strictEqual(yield* store.load(Order, ["2"]), undefined)
    })
  ),

  Case.make("guards are evaluated before the writes of their decision", (store) =>
    Effect.gen(function* () {
      yield* store.commit({
        guards: [absent(Order, "key", ["1"]), balanceAtLeast("a", 0)],
        writes: [append(Order, Sample.order("1")), post("a", -1)]
      })
      assert.strictEqual((yield* store.load(Balance, ["a"]))?.minor, -1n)
    })
  ),

  Case.make("one of 50 concurrent commits gets a key", (store) =>
    Effect.gen(function* () {
      const decisions = Array.from({ length: 50 }, (_, n) => ({
        guards: [absent(Order, "clientOrder", ["merchant", "wanted"])],
        writes: [append(Order, Sample.order(`${n}`, { clientOrderId: "wanted" })), post("account", 1)]
      }))
      assert.strictEqual(yield* Case.race(store, decisions), 1)
      assert.strictEqual((yield* store.load(Balance, ["account"]))?.minor, 1n)
    })
  ),

  Case.make("one of 50 concurrent commits changes a version", (store) =>
    Effect.gen(function* () {
      yield* store.commit(existingRows)
      const decisions = Array.from({ length: 50 }, (_, n) => ({
        guards: [versionIs(Order, ["1"], 7)],
        writes: [put(Order, Sample.order("1", { version: 8, amountMinor: n })), post("account", 1)]
      }))
      assert.strictEqual(yield* Case.race(store, decisions), 1)
      assert.strictEqual((yield* store.load(Balance, ["account"]))?.minor, 101n)
    })
  ),

  Case.make("50 concurrent commits use up a balance and never overdraw it", (store) =>
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
      assert.strictEqual((yield* store.load(Balance, ["account"]))?.minor, 5n)
    })
  ),

  Case.make("a failed guard does not affect concurrent commits", (store) =>
    Effect.gen(function* () {
      yield* store.commit(existingRows)
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
