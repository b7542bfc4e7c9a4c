/** Takes a number for a process, and extends its lease. */
import { Effect, Random } from "effect"
import * as Change from "./Change.ts"
import * as Decision from "./Decision.ts"
import { graceMs, leaseMs, Process, type Span } from "./Process.ts"
import * as ProcessNumber from "./ProcessNumber.ts"
import type { GuardFailed, Store, StoreUnavailable } from "./Store.ts"
import * as Transact from "./Transact.ts"

const maxTries = 20
/** Number of process numbers among which a process chooses at random, so that processes that start at once seldom choose the same. */
const candidates = 16

/**
 * The numbers that may be taken: the rows of ended leases, then numbers without a row. The rows come first, so that the table
 * stays small.
 */
const takeable = (rows: ReadonlyArray<Process>, nowMs: number): ReadonlyArray<Process | number> => {
  const numbers = new Map(rows.map((row) => [row.number, row]))
  return [
    ...rows.filter(({ leaseUntilMs }) => leaseUntilMs + graceMs <= nowMs),
    ...Array.from({ length: ProcessNumber.count }, (_, number) => number).filter((number) => !numbers.has(number))
  ].slice(0, candidates)
}

/** `rowOf`: the columns of the row of this process, except those of the number. */
export const make = (
  store: Store["Service"],
  now: () => number,
  rowOf: (leaseUntilMs: number) => Omit<Process, "number" | "version" | "fromMs">
) => {
  const attempt: Effect.Effect<Span, GuardFailed | StoreUnavailable> = Effect.gen(function* () {
    const rows = yield* store.find(Process, "key", { limit: ProcessNumber.count })
    const nowMs = now()
    // A number from an earlier commit of this process whose outcome was unknown.
    const ownRow = rows.find((row) => row.token === rowOf(0).token && row.leaseUntilMs > nowMs)
    if (ownRow !== undefined) return { number: ownRow.number, fromMs: ownRow.fromMs, untilMs: ownRow.leaseUntilMs }
    const free = takeable(rows, nowMs)
    const chosen = free[yield* Random.nextIntBetween(0, free.length - 1)]
    if (chosen === undefined)
      return yield* Effect.die(new Error(`All ${ProcessNumber.count} numbers of processes are taken.`))
    const before = typeof chosen === "number" ? undefined : chosen
    const number = typeof chosen === "number" ? chosen : chosen.number
    const fromMs = before?.leaseUntilMs ?? 0
    const untilMs = Math.max(fromMs, nowMs + leaseMs)
    const fresh = { ...rowOf(untilMs), number, version: 1, fromMs }
    yield* store.commit(
      before === undefined
        ? { guards: [Decision.absent(Process, "key", [number])], writes: [Decision.append(Process, fresh)] }
        : Change.update(Process, before, { ...rowOf(untilMs), fromMs })
    )
    return { number, fromMs, untilMs }
  })
  /** Takes a free number. If another process takes it first, another one is chosen. */
  const takeFree = Transact.transact({
    attempt,
    tries: maxTries,
    exhausted: () => Effect.die(new Error("Numbers of processes are taken faster than they can be read."))
  })

  /** Extends the lease of the number. `undefined`: another process has taken the number. */
  const extended = Effect.fnUntraced(function* (current: Span) {
    const row = yield* store.load(Process, [current.number])
    if (row?.token !== rowOf(0).token) return undefined
    const untilMs = Math.max(row.leaseUntilMs, now() + leaseMs)
    const lostGuard = yield* Transact.lostGuardOf(store, Change.update(Process, row, rowOf(untilMs)))
    return lostGuard === undefined ? { ...current, untilMs } : undefined
  })

  return { extended, take: takeFree }
}
