/** Pages of an index that ends with a time and the row's key, newest or oldest first: each page is one or two bounded reads. */
import { Effect } from "effect"
import type * as Entity from "./Entity.ts"
import type { Store } from "./Store.ts"

/** The position at which the previous page ended. */
export interface Cursor {
  readonly atMs: number
  readonly key: string
}

export interface Range {
  /** The index's columns before the time. */
  readonly equals?: ReadonlyArray<Entity.Value>
  /** Inclusive. */
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
  readonly after?: Cursor | undefined
  readonly limit: number
}

/** Returns a page, newest row first. Rows of the time at which the page before ended may be left: they come first. */
export const newest = Effect.fnUntraced(function* <C extends Entity.Columns>(
  store: Store["Service"],
  entity: Entity.Entity<C>,
  index: string,
  { after, equals = [], fromMs = 0, limit, toMs = Number.MAX_SAFE_INTEGER }: Range
) {
  const key = entity.key[0] ?? ""
  const same =
    after === undefined
      ? []
      : yield* store.find(entity, index, {
          equals: [...equals, after.atMs],
          to: after.key,
          limit: limit + 1,
          descending: true
        })
  const left = same.filter((row) => Reflect.get(row, key) !== after?.key).slice(0, limit)
  const untilMs = after === undefined ? toMs : Math.min(toMs, after.atMs - 1)
  if (left.length === limit || untilMs < fromMs) return left
  const older = yield* store.find(entity, index, {
    equals,
    from: fromMs,
    to: untilMs,
    limit: limit - left.length,
    descending: true
  })
  return [...left, ...older]
})

/** Returns the cursor in its wire form: `1795244400000-123456789012345678`. */
export const written = ({ atMs, key }: Cursor): string => `${atMs}-${key}`

const form = /^(\d{1,15})-([\w:.-]{1,128})$/

/** Undefined: not a cursor. */
export const read = (text: string): Cursor | undefined => {
  const [, atMs, key] = form.exec(text) ?? []
  return atMs === undefined || key === undefined ? undefined : { atMs: Number(atMs), key }
}

/** Returns a page, oldest row first. Rows of the time at which the page before ended may be left: they come first. */
export const oldest = Effect.fnUntraced(function* <C extends Entity.Columns>(
  store: Store["Service"],
  entity: Entity.Entity<C>,
  index: string,
  { after, equals = [], fromMs = 0, limit, toMs = Number.MAX_SAFE_INTEGER }: Range
) {
  const key = entity.key[0] ?? ""
  const same =
    after === undefined
      ? []
      : yield* store.find(entity, index, { equals: [...equals, after.atMs], from: after.key, limit: limit + 1 })
  const left = same.filter((row) => Reflect.get(row, key) !== after?.key).slice(0, limit)
  const beginMs = after === undefined ? fromMs : Math.max(fromMs, after.atMs + 1)
  if (left.length === limit || beginMs > toMs) return left
  const range = { equals, from: beginMs, to: toMs, limit: limit - left.length }
  return [...left, ...(yield* store.find(entity, index, range))]
})
