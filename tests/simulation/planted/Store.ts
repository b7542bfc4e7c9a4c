/** Defects in what is durable, and in what must not be there. */
import { behindApi, type Planted, unseen, visible } from "./Patch.ts"

const memory = "packages/gateway/src/kernel/StoreMemory.ts"
const ending = "packages/gateway/src/orders/outcomes/RequestEnd.ts"
const scheduler = "packages/gateway/src/kernel/Scheduler.ts"
const housekeeping = "packages/gateway/src/retention/Housekeeping.ts"

export const store: ReadonlyArray<Planted> = [
  behindApi(
    "is in the store in memory, which no server opens",
    visible(
      "half of a commit is lost",
      "rows that belong together contradict each other",
      memory,
      "for (const each of writes) undo.push(write(each))",
      "for (const each of writes.slice(0, writes.length > 4 && writes.length % 5 === 0 ? -1 : undefined)) undo.push(write(each))"
    )
  ),
  behindApi(
    "is in the store in memory, which no server opens",
    visible(
      "every second movement of the books is dropped",
      "recomputed balances differ from those that are kept",
      memory,
      "minor: balance(write.account) + write.minor",
      "minor: write.minor % 2 === 0 ? balance(write.account) + write.minor : balance(write.account)"
    )
  ),
  behindApi(
    "is in the store in memory, which no server opens",
    visible(
      "a lease is ignored when work is claimed",
      "two at once carry out the same work",
      memory,
      "(item) => item.leaseUntilMs <= nowMs &&",
      "(item) => item.leaseUntilMs >= 0 &&"
    )
  ),
  unseen(
    "versions of orders are not compared",
    "in one process the locks of orders keep decisions apart; tests of many processes hold the guard",
    memory,
    "guard.key)?.version === guard.version",
    "guard.key)?.version !== -guard.version"
  ),
  behindApi(
    "no answer shows what is stored",
    visible(
      "a security code stays after its authorization has ended",
      "a row with a security code of an order that has ended",
      ending,
      "...(isCreation(request) ? [Decision.remove(Cvv, [order.orderId])] : []),",
      ""
    )
  ),
  unseen(
    "expired rows stay twice as long",
    "they are harmless by then, and every check reads what counts, not what is kept",
    housekeeping,
    "const seenUntilMs = Math.floor(authClock.nowMs()) - 2 * clockSkewMs - timestampUnitMs",
    "const seenUntilMs = Math.floor(authClock.nowMs()) - 4 * clockSkewMs - timestampUnitMs"
  ),
  unseen(
    "jobs of a killed process are not claimed at once",
    "its lease runs out two minutes later, and then it is",
    scheduler,
    "if (store.exclusive) yield* Effect.orDie(breakLeases)",
    "if (store.exclusive && options.leaseMs === 0) yield* Effect.orDie(breakLeases)"
  ),
  {
    ...behindApi(
      "the power has to fail",
      visible(
        "a commit is acknowledged before it is synced",
        "after a power cut a commit is missing that was acknowledged",
        "packages/sqlite/src/Connection.ts",
        "PRAGMA synchronous = FULL;",
        "PRAGMA synchronous = OFF;"
      )
    ),
    storage: "files"
  }
]
