/** Defects in what is durable, and in what must not be there. */
import { behindApi, type Defect, unseen, visible } from "./Defect.ts"

const storeMemory = "gateway/gateway/src/kernel/StoreMemory.ts"
const requestEnd = "gateway/gateway/src/orders/decide/RequestEnd.ts"
const scheduler = "gateway/gateway/src/kernel/Scheduler.ts"
const housekeeping = "gateway/gateway/src/retention/Housekeeping.ts"

export const store: ReadonlyArray<Defect> = [
  behindApi(
    "it is in the store in memory, which no server uses",
    visible(
      "the last write of some commits is lost",
      "rows of one commit contradict each other",
      storeMemory,
      "for (const each of writes) undo.push(write(each))",
      "for (const each of writes.slice(0, writes.length > 4 && writes.length % 5 === 0 ? -1 : undefined)) undo.push(write(each))"
    )
  ),
  behindApi(
    "it is in the store in memory, which no server uses",
    visible(
      "odd amounts are not added to the balances of the ledger",
      "recomputed balances differ from the stored ones",
      storeMemory,
      "minor: balance(write.account) + BigInt(write.minor)",
      "minor: balance(write.account) + (write.minor % 2 === 0 ? BigInt(write.minor) : 0n)"
    )
  ),
  behindApi(
    "it is in the store in memory, which no server uses",
    visible(
      "a job that has a lease can be claimed",
      "two handlers run the same job at the same time",
      storeMemory,
      "(job) => job.leaseUntilMs <= nowMs &&",
      "(job) => job.leaseUntilMs >= 0 &&"
    )
  ),
  unseen(
    "versions of orders are not compared",
    "in one process, locks serialize decisions about an order; tests of several processes check the guard",
    storeMemory,
    "guard.key)?.version === guard.version",
    "guard.key)?.version !== -guard.version"
  ),
  behindApi(
    "no answer shows what is stored",
    visible(
      "a security code is kept after its authorization has ended",
      "the store has the security code of an authorization that has ended",
      requestEnd,
      "...(isCreation(request) ? [Decision.remove(Cvv, [order.orderId])] : []),",
      ""
    )
  ),
  unseen(
    "expired rows are kept twice as long",
    "expired rows have no effect, and the checks do not count them",
    housekeeping,
    "const usedUntilMs = Math.floor(authClock.nowMs()) - 2 * clockSkewMs - timestampUnitMs",
    "const usedUntilMs = Math.floor(authClock.nowMs()) - 4 * clockSkewMs - timestampUnitMs"
  ),
  unseen(
    "jobs of a killed process are claimed only after their leases end",
    "the leases end two minutes later",
    scheduler,
    "if (store.exclusive) yield* Effect.orDie(breakLeases)",
    "if (store.exclusive && options.leaseMs === 0) yield* Effect.orDie(breakLeases)"
  ),
  {
    ...behindApi(
      "it needs a power cut",
      visible(
        "a commit is acknowledged before it is synced",
        "an acknowledged commit is missing after a power cut",
        "packages/sqlite/src/DatabaseFile.ts",
        "PRAGMA synchronous = FULL;",
        "PRAGMA synchronous = OFF;"
      )
    ),
    storage: "files"
  }
]
