/** Copies the rows of one entity from one store to the other, and compares them. */
import type * as Entity from "@pay/gateway/Entity"
import { Effect } from "effect"
import { failWith, type MoveError } from "../MoveError.ts"
import { type Copied, keyOf, type Row } from "../MoveRow.ts"
import type { Target } from "../postgres/MoveTarget.ts"
import type { Source } from "./SqliteSource.ts"

const pageRows = 1000
/** Largest number of characters that are added at once: rows of a few entities contain whole messages. */
const maxText = 4_000_000

const sizeOf = (row: Row): number =>
  row.reduce<number>(
    (sum, value) => sum + (typeof value === "string" || value instanceof Uint8Array ? value.length : 8),
    0
  )

/** Splits rows into parts of bounded size. */
const parts = (rows: ReadonlyArray<Row>): ReadonlyArray<ReadonlyArray<Row>> => {
  const done: Array<ReadonlyArray<Row>> = []
  let part: Array<Row> = []
  let size = 0
  for (const row of rows) {
    part.push(row)
    size += sizeOf(row)
    if (size < maxText) continue
    done.push(part)
    part = []
    size = 0
  }
  return part.length === 0 ? done : [...done, part]
}

/** Adds rows after the copied ones. */
const add = Effect.fnUntraced(function* (
  target: Target,
  entity: Entity.Entity,
  rows: ReadonlyArray<Row>,
  before: number
): Effect.fn.Return<void, MoveError> {
  let count = before
  for (const part of parts(rows)) {
    count += part.length
    const last = part.at(-1)
    yield* target.add(entity, part, { rows: count, after: last === undefined ? undefined : keyOf(entity, last) })
  }
})

/** Copies the rows after the last copied one. `report` receives the number of rows copied by this run. */
export const copy = Effect.fnUntraced(function* (
  { source, target }: { readonly source: Source; readonly target: Target },
  entity: Entity.Entity,
  report: (rows: number) => void
): Effect.fn.Return<Copied, MoveError> {
  let { after, rows } = yield* target.copied(entity)
  let page = yield* source.page(entity, after, pageRows)
  for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
    after = keyOf(entity, last)
    // The next page is read while the target writes a page.
    const [, next] = yield* Effect.all([add(target, entity, page, rows), source.page(entity, after, pageRows)], {
      concurrency: 2
    })
    rows += page.length
    report(page.length)
    page = next
  }
  return { rows, after }
})

const isSame = (one: Row, other: Row): boolean =>
  one.length === other.length &&
  one.every((value, at) => {
    const counterpart = other[at]
    return value instanceof Uint8Array
      ? counterpart instanceof Uint8Array && Buffer.compare(value, counterpart) === 0
      : value === counterpart
  })

/** Compares all rows. Fails if a row is missing on one side or differs. Returns the number of rows. */
export const compare = Effect.fnUntraced(function* (
  { source, target }: { readonly source: Source; readonly target: Target },
  entity: Entity.Entity,
  report: (rows: number) => void
): Effect.fn.Return<number, MoveError> {
  const differs = (row: number, what: string) =>
    failWith("differs", `The table ${entity.name} is not the same on both sides: row ${row} ${what}.`)
  let count = 0
  let after: Row | undefined
  while (true) {
    const [expected, actual] = yield* Effect.all(
      [source.page(entity, after, pageRows), target.page(entity, after, pageRows)],
      { concurrency: 2 }
    )
    for (const [at, row] of expected.entries()) {
      const other = actual[at]
      if (other === undefined) return yield* differs(count + at + 1, `is missing in ${target.label}`)
      if (!isSame(row, other)) return yield* differs(count + at + 1, `of ${target.label} is another`)
    }
    if (actual.length > expected.length)
      return yield* differs(count + expected.length + 1, `of ${target.label} is one more`)
    count += expected.length
    report(expected.length)
    const last = expected.at(-1)
    if (last === undefined) return count
    after = keyOf(entity, last)
  }
})
