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
  /** Values of the index's columns before the time. */
  readonly equals?: ReadonlyArray<Entity.Value>
  /** Inclusive, as is `toMs`. */
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
  readonly after?: Cursor | undefined
  readonly limit: number
}

/** Makes the function that reads a page. Further rows with the time of the cursor come first. */
const pages = (descending: boolean) =>
  Effect.fnUntraced(function* <C extends Entity.Columns>(
    store: Store["Service"],
    entity: Entity.Entity<C>,
    index: string,
    { after, equals = [], fromMs = 0, limit, toMs = Number.MAX_SAFE_INTEGER }: Range
  ) {
    const key = entity.key[0] ?? ""
    const sameTime =
      after === undefined
        ? []
        : yield* store.find(entity, index, {
            equals: [...equals, after.atMs],
            ...(descending ? { to: after.key } : { from: after.key }),
            limit: limit + 1,
            descending
          })
    const first = sameTime.filter((row) => Reflect.get(row, key) !== after?.key).slice(0, limit)
    const from = after === undefined || descending ? fromMs : Math.max(fromMs, after.atMs + 1)
    const to = after === undefined || !descending ? toMs : Math.min(toMs, after.atMs - 1)
    if (first.length === limit || from > to) return first
    const further = yield* store.find(entity, index, { equals, from, to, limit: limit - first.length, descending })
    return [...first, ...further]
  })

/** Returns a page, newest row first. */
export const newest = pages(true)

/** Returns a page, oldest row first. */
export const oldest = pages(false)

/** Returns the cursor for the next page. `undefined`: the rows do not fill a page, so no more rows follow. */
export const nextOf = <R>(rows: ReadonlyArray<R>, limit: number, cursorOf: (row: R) => Cursor): Cursor | undefined => {
  const last = rows.length < limit ? undefined : rows.at(-1)
  return last && cursorOf(last)
}

/** Returns the cursor in its wire form: `1795244400000-123456789012345678`. */
export const format = ({ atMs, key }: Cursor): string => `${atMs}-${key}`

const form = /^(\d{1,15})-([\w:.-]{1,128})$/

/** Reads a cursor in its wire form. `undefined`: the text is not a cursor. */
export const read = (text: string): Cursor | undefined => {
  const [, atMs, key] = form.exec(text) ?? []
  return atMs === undefined || key === undefined ? undefined : { atMs: Number(atMs), key }
}
