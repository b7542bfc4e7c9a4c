/**
 * Numbers of orders and cards. By default they are those of `Ids`, of more than 53 bits. If the merchant's setting `numbers`
 * is `short`, they are a rising sequence that fits 31 bits, for clients that keep a number in a signed integer.
 *
 * A process reserves a block of the sequence durably before it assigns a number of the block. Numbers that are not assigned
 * when the process ends are a gap, and gaps are never filled. A copy may lack blocks that were reserved after it was taken, by the former
 * gateway or by one on an earlier copy of the same backup. So the sequence skips more numbers after a restore than can have been
 * assigned since the copy was taken. Knowledge of a number gives no access to anything.
 */
import { Context, Effect, Layer, Semaphore } from "effect"
import * as Decision from "../../kernel/Decision.ts"
import * as Entity from "../../kernel/Entity.ts"
import { Ids } from "../../kernel/Ids.ts"
import { Settings } from "../../kernel/Settings.ts"
import { Store, StoreUnavailable } from "../../kernel/Store.ts"
import * as Transact from "../../kernel/Transact.ts"
import { Directory } from "../../merchants/Directory.ts"
import { type Copied, FormerOrders } from "./FormerOrders.ts"

/** How far the sequence is reserved. The table has one row. */
export const NumberSequence = Entity.make("numberSequences", {
  columns: {
    name: Entity.text<"orders">(),
    version: Entity.integer,
    /** The first number that no process has reserved. */
    next: Entity.integer,
    /** The restore after which numbers were skipped last; null if there was none. */
    copiedAtMs: Entity.integerOrNull
  },
  key: ["name"]
})
export type NumberSequence = Entity.Row<typeof NumberSequence>

/** The largest signed integer of 32 bits. */
export const largest = 2_147_483_647

/** Number of numbers in one block. */
export const blockSize = 1_000

/** Number of numbers that are skipped after a restore for each second since the copy's last commit. */
const skippedPerSecond = 194
/** Number of further numbers that are skipped: blocks that processes have reserved and not used. */
const skippedBlocks = 128

/**
 * Returns the number of numbers that are skipped after a restore. It grows with time, so that two copies of one backup have different
 * numbers. If the time is unknown, it counts as a day, and as a month at most.
 */
export const skippedAfter = (afterMs = 86_400_000): number =>
  Math.ceil(Math.min(afterMs / 1000, 30 * 86_400) * skippedPerSecond) + skippedBlocks * blockSize

/**
 * Operators are warned when a block ends above this number: then a quarter of the numbers is left, more than half a billion.
 */
export const alarmFrom = 0.75 * largest

export interface Block {
  readonly from: number
  /** The first number after the block. */
  readonly end: number
}

/** Returns the next block and the row that reserves it; undefined if the numbers are used up. */
export const reserve = (
  row: NumberSequence | undefined,
  firstNumber: number,
  copied: Copied | undefined
): { readonly block: Block; readonly row: NumberSequence } | undefined => {
  const isCopy = copied !== undefined && copied.atMs !== row?.copiedAtMs
  const from = Math.max(row?.next ?? 1, firstNumber) + (isCopy ? skippedAfter(copied.afterMs) : 0)
  const end = Math.min(from + blockSize, largest + 1)
  return end <= from
    ? undefined
    : {
        block: { from, end },
        row: {
          name: "orders",
          version: (row?.version ?? 0) + 1,
          next: end,
          copiedAtMs: copied?.atMs ?? row?.copiedAtMs ?? null
        }
      }
}

export class OrderNumbers extends Context.Service<
  OrderNumbers,
  {
    /** Returns a new number for an order, a stored card or a recurring payment of the merchant with this login. */
    readonly next: (merchantId: string) => Effect.Effect<string, StoreUnavailable>
    /**
     * Reserves `count` consecutive short numbers and returns the first one. Undefined: the merchant has long numbers. `count` is at
     * most {@link blockSize}.
     */
    readonly reserve: (merchantId: string, count: number) => Effect.Effect<number | undefined, StoreUnavailable>
  }
>()("@pay/gateway/OrderNumbers") {
  static readonly layer = Layer.effect(
    OrderNumbers,
    Effect.gen(function* () {
      const store = yield* Store
      const { copied } = yield* FormerOrders
      const ids = yield* Ids
      const directory = yield* Directory
      const { firstShortNumber } = yield* Settings
      const one = yield* Semaphore.make(1)
      let block: Block = { from: 0, end: 0 }

      const attempt = Effect.gen(function* () {
        const row = yield* store.load(NumberSequence, ["orders"])
        const reserved = reserve(row, firstShortNumber, yield* copied)
        if (reserved === undefined) return yield* usedUp
        const guard =
          row === undefined
            ? Decision.absent(NumberSequence, "key", ["orders"])
            : Decision.versionIs(NumberSequence, ["orders"], row.version)
        yield* store.commit({ guards: [guard], writes: [Decision.put(NumberSequence, reserved.row)] })
        if (reserved.block.end > alarmFrom)
          yield* Effect.annotateLogs(Effect.logWarning("Short numbers are running out: move merchants to long ones"), {
            left: largest + 1 - reserved.block.end
          })
        block = reserved.block
      })
      const hasLeft = (count: number) => block.from + count <= block.end
      const refill = (count: number) =>
        one.withPermit(
          Effect.suspend(() =>
            hasLeft(count)
              ? Effect.void
              : Transact.transact({ attempt, exhausted: () => contended, tries: Transact.triesUnderLock })
          )
        )
      const take = (count: number): Effect.Effect<number, StoreUnavailable> =>
        Effect.suspend(() => {
          if (!hasLeft(count)) return Effect.andThen(refill(count), take(count))
          const { end, from } = block
          block = { from: from + count, end }
          return Effect.succeed(from)
        })
      const long = Effect.sync(ids.next)
      const isShort = (merchantId: string) => directory.merchant(merchantId)?.hasShortNumbers === true
      return {
        next: (merchantId) => (isShort(merchantId) ? Effect.map(take(1), String) : long),
        reserve: (merchantId, count) => (isShort(merchantId) ? take(count) : Effect.undefined)
      }
    })
  )
}

const unavailable = (message: string) => new StoreUnavailable({ outcomeUnknown: false, cause: new Error(message) })
const usedUp = Effect.fail(unavailable("all short numbers are used up: set the merchant's numbers to long"))
const contended = Effect.fail(unavailable("other processes reserved short numbers first each time"))
