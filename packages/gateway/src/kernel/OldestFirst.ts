/** Pages of an index that ends with a time and the row's key, oldest first: each page is one or two bounded reads. */
import { Effect } from "effect"
import type * as Entity from "./Entity.ts"
import type { Range } from "./NewestFirst.ts"
import type { Store } from "./Store.ts"

/** Rows of the time at which the page before ended may be left: they come first. */
export const find = Effect.fnUntraced(function* <C extends Entity.Columns>(
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
