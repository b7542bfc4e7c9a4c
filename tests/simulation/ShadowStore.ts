/**
 * A copy of what the gateway has committed, appliedTo by observing its commits. Checks read it instead of the store, and receive each
 * change in its order.
 */
import type { Decision, Write } from "@pay/gateway/Decision"
import * as Entities from "@pay/gateway/Entities"
import { Balance, Job } from "@pay/gateway/Entities"
import type * as Entity from "@pay/gateway/Entity"
import { type Store, StoreRow } from "@pay/gateway/Store"
import { Effect, References } from "effect"

type StoreService = Store["Service"]
export type Row = Readonly<Record<string, Entity.Value>>

/** A change of one row by one commit. */
export interface Change {
  readonly entity: Entity.Entity
  readonly key: string
  readonly how: Write["_tag"]
  readonly before: Row | undefined
  readonly after: Row | undefined
  /** False after an earlier commit of the row with an unknown outcome: `before` may be outdated. */
  readonly isSure: boolean
}

export type Observer = (changes: ReadonlyArray<Change>) => void

export interface ShadowStore {
  /** Returns the store with its commits observed. */
  readonly watch: (store: StoreService) => StoreService
  /** Adds an observer of all commits in their order. */
  readonly observe: (observer: Observer) => void
  readonly row: <C extends Entity.Columns>(entity: Entity.Entity<C>, key: string) => Entity.RowOf<C> | undefined
  readonly rows: <C extends Entity.Columns>(entity: Entity.Entity<C>) => ReadonlyArray<Entity.RowOf<C>>
  /** Returns the number of commits. */
  readonly count: () => number
  /** Describes the rows of the store that differ from the copy: of all rows, or of those written since the last call. */
  readonly differences: (store: StoreService, which: "all" | "recent") => Effect.Effect<ReadonlyArray<string>>
  /** Copies the store again, after it was restored to an older state on purpose. */
  readonly reread: (store: StoreService) => Effect.Effect<void>
}

const keyText = (values: ReadonlyArray<Entity.Value>): string =>
  values.length === 1 ? String(values[0]) : JSON.stringify(values)

const keyOf = ({ key }: Entity.Entity, row: Row): string => keyText(key.map((column) => row[column] ?? null))

const isSame = ({ columns }: Entity.Entity, one: Row, other: Row): boolean =>
  Object.keys(columns).every((column) => StoreRow.compare(one[column] ?? null, other[column] ?? null) === 0)

/** The columns in which two rows differ. */
export const differing = (one: Row, other: Row): ReadonlyArray<string> =>
  Object.keys(one).filter((column) => StoreRow.compare(one[column] ?? null, other[column] ?? null) !== 0)

export const make = (): ShadowStore => {
  const tables = new Map(Entities.all.map((entity) => [entity, new Map<string, Row>()]))
  const uncertain = new Map(Entities.all.map((entity) => [entity, new Set<string>()]))
  const recent = new Map(Entities.all.map((entity) => [entity, new Set<string>()]))
  const observers: Array<Observer> = []
  let commits = 0

  const of = <A>(map: ReadonlyMap<Entity.Entity, A>, entity: Entity.Entity): A => {
    const result = map.get(entity)
    if (result === undefined) throw new Error(`${entity.name} is not among the entities`)
    return result
  }

  const target = (write: Write): { readonly entity: Entity.Entity; readonly key: string } => {
    switch (write._tag) {
      case "Post":
        return { entity: Balance, key: write.account }
      case "Remove":
        return { entity: write.entity, key: keyText(write.key) }
      default:
        return { entity: write.entity, key: keyOf(write.entity, write.row) }
    }
  }

  const appliedTo = (write: Write, before: Row | undefined): Row | undefined => {
    switch (write._tag) {
      case "Post":
        return { account: write.account, minor: BigInt(String(before?.minor ?? 0)) + BigInt(write.minor) }
      case "Remove":
        return undefined
      default:
        return write.row
    }
  }

  const apply = (writes: ReadonlyArray<Write>): void => {
    commits += 1
    const changes = new Map<string, Change>()
    for (const write of writes) {
      const { entity, key } = target(write)
      const rows = of(tables, entity)
      const before = rows.get(key)
      const after = appliedTo(write, before)
      if (after === undefined) rows.delete(key)
      else rows.set(key, after)
      of(recent, entity).add(key)
      const name = `${entity.name} ${key}`
      const earlier = changes.get(name)
      const isSure = earlier?.isSure ?? !of(uncertain, entity).has(key)
      // A balance is certain again only after the store is read.
      if (write._tag !== "Post") of(uncertain, entity).delete(key)
      changes.set(name, {
        ...{ entity, key, after, isSure, how: write._tag },
        before: earlier === undefined ? before : earlier.before
      })
    }
    for (const observer of observers) observer([...changes.values()])
  }

  const markUncertain = ({ writes }: Decision): void => {
    commits += 1
    for (const write of writes) {
      const { entity, key } = target(write)
      of(uncertain, entity).add(key)
      of(recent, entity).add(key)
    }
  }

  /** Nothing else runs between a commit and the call of its observers. */
  const withoutYield = <A, E>(work: Effect.Effect<A, E>) =>
    Effect.provideService(work, References.PreventSchedulerYield, true)

  const watch = (store: StoreService): StoreService => ({
    ...store,
    commit: (decision) =>
      withoutYield(
        Effect.onExit(store.commit(decision), (exit) =>
          Effect.sync(() => {
            if (exit._tag === "Success") apply(decision.writes)
            else if (
              exit.cause.reasons.every((reason) => reason._tag !== "Fail" || reason.error._tag !== "GuardFailed")
            )
              markUncertain(decision)
          })
        )
      ),
    claimDue: (claim) =>
      withoutYield(
        Effect.tap(store.claimDue(claim), (jobs) =>
          Effect.sync(() => apply(jobs.map((row) => ({ _tag: "Put", entity: Job, row }))))
        )
      )
  })

  const take = (entity: Entity.Entity, key: string, row: Row | undefined): void => {
    if (row === undefined) of(tables, entity).delete(key)
    else of(tables, entity).set(key, row)
    of(uncertain, entity).delete(key)
  }

  const everything = (store: StoreService, entity: Entity.Entity): Effect.Effect<ReadonlyMap<string, Row>> =>
    Effect.map(
      Effect.orDie(store.find(entity, "key", { limit: Number.MAX_SAFE_INTEGER })),
      (rows) => new Map(rows.map((row) => [keyOf(entity, row), row]))
    )

  const keyValues = (entity: Entity.Entity, key: string): ReadonlyArray<Entity.Value> =>
    entity.key.length === 1 ? [key] : JSON.parse(key)

  const differences = Effect.fnUntraced(function* (store: StoreService, which: "all" | "recent") {
    const problems: Array<string> = []
    for (const entity of Entities.all) {
      const rows = of(tables, entity)
      const written = of(recent, entity)
      if (which === "recent" && written.size === 0) continue
      const stored = which === "all" ? yield* everything(store, entity) : undefined
      const keys = stored === undefined ? written : new Set([...rows.keys(), ...stored.keys()])
      for (const key of keys) {
        const result =
          stored === undefined ? yield* Effect.orDie(store.load(entity, keyValues(entity, key))) : stored.get(key)
        const expected = rows.get(key)
        const isUncertain = of(uncertain, entity).has(key)
        if (isUncertain) take(entity, key, result)
        else if (result === undefined || expected === undefined) {
          if (result !== expected)
            problems.push(
              `${entity.name} ${key} ${result === undefined ? "is lost" : "was never committed, or removed"}`
            )
        } else if (!isSame(entity, result, expected))
          problems.push(`${entity.name} ${key} has another ${differing(expected, result)} than was committed`)
      }
      written.clear()
    }
    return problems
  })

  return {
    watch,
    observe: (observer) => void observers.push(observer),
    row: (entity, key) => {
      const row = of(tables, entity).get(key)
      return row === undefined ? undefined : StoreRow.typed(entity, row)
    },
    rows: (entity) => [...of(tables, entity).values()].map((row) => StoreRow.typed(entity, row)),
    count: () => commits,
    differences,
    reread: Effect.fnUntraced(function* (store) {
      for (const entity of Entities.all) {
        const stored = yield* everything(store, entity)
        for (const key of of(tables, entity).keys()) if (!stored.has(key)) take(entity, key, undefined)
        for (const [key, row] of stored) take(entity, key, row)
        of(recent, entity).clear()
      }
    })
  }
}
