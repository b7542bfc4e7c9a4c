/**
 * The store in memory, for tests and as the simplest definition of what a store does. Each call is synchronous, so no caller ever
 * reads half of a commit.
 */
import { Effect, Layer } from "effect"
import { type Decision, type Guard, hasRoom, type Write } from "./Decision.ts"
import type * as Entity from "./Entity.ts"
import * as FairQueue from "./FairQueue.ts"
import { Job } from "./Job.ts"
import { Balance } from "./LedgerTable.ts"
import { type Claim, GuardFailed, type Range, Store } from "./Store.ts"
import * as StoreTable from "./StoreTable.ts"

const make = (): Store["Service"] => {
  const tables = new Map<string, StoreTable.Table>()

  const table = (entity: Entity.Entity): StoreTable.Table => {
    const existing = tables.get(entity.name)
    if (existing !== undefined) return existing
    const newTable = StoreTable.make(entity)
    tables.set(entity.name, newTable)
    return newTable
  }

  const load = <C extends Entity.Columns>(
    entity: Entity.Entity<C>,
    values: ReadonlyArray<Entity.Value>,
    unique = "key"
  ): Entity.RowOf<C> | undefined => StoreTable.load(table(entity), entity, values, unique)

  const balance = (account: string): bigint => load(Balance, [account])?.minor ?? 0n

  const holds = (guard: Guard): boolean => {
    switch (guard._tag) {
      case "VersionIs":
        return StoreTable.peek(table(guard.entity), guard.key)?.version === guard.version
      case "Absent":
        return StoreTable.peek(table(guard.entity), guard.values, guard.unique) === undefined
      case "LeaseIs":
        return StoreTable.peek(table(Job), [guard.jobId])?.token === guard.token
      case "BalanceAtLeast":
        return balance(guard.account) >= guard.minor
      case "BalanceHasRoom":
        return hasRoom(balance(guard.account), guard)
    }
  }

  const write = (write: Write): StoreTable.Undo => {
    switch (write._tag) {
      case "Put":
        return StoreTable.put(table(write.entity), write.row)
      case "Append":
        return StoreTable.append(table(write.entity), write.row)
      case "Remove":
        return StoreTable.remove(table(write.entity), write.key)
      case "Post":
        return StoreTable.put(table(Balance), {
          account: write.account,
          minor: balance(write.account) + BigInt(write.minor)
        })
    }
  }

  const writeAll = (writes: ReadonlyArray<Write>): void => {
    const undo: Array<StoreTable.Undo> = []
    try {
      for (const each of writes) undo.push(write(each))
    } catch (defect) {
      for (const each of undo.reverse()) each()
      throw defect
    }
  }

  const commit = (decision: Decision): Effect.Effect<void, GuardFailed> =>
    Effect.suspend(() => {
      const failed = decision.guards.find((guard) => !holds(guard))
      if (failed !== undefined) return Effect.fail(new GuardFailed({ guard: failed }))
      writeAll(decision.writes)
      return Effect.void
    })

  const claimDue = ({ each, except = [], kind, leaseMs, limit, nowMs, token }: Claim): ReadonlyArray<Job> => {
    const scheduler = table(Job)
    const free = StoreTable.find(scheduler, Job, "due", {
      equals: [kind],
      to: nowMs,
      limit: Number.POSITIVE_INFINITY
    }).filter((job) => job.leaseUntilMs <= nowMs && !except.includes(job.merchantId))
    const due = FairQueue.byTurns(free, each)
      .slice(0, limit)
      .map((job) => ({
        ...job,
        token,
        leaseUntilMs: nowMs + leaseMs,
        openAttempts: job.openAttempts + 1,
        startedAtMs: job.startedAtMs ?? nowMs
      }))
    for (const job of due) StoreTable.put(scheduler, job)
    return due
  }

  return Store.of({
    exclusive: true,
    load: (entity, values, unique) => Effect.sync(() => load(entity, values, unique)),
    find: (entity, index, range: Range) => Effect.sync(() => StoreTable.find(table(entity), entity, index, range)),
    claimDue: (claim) => Effect.sync(() => claimDue(claim)),
    commit
  })
}

/** Provides an empty store to each layer, never a shared one. */
export const layer: Layer.Layer<Store> = Layer.fresh(Layer.sync(Store, make))
