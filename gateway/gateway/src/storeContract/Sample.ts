/** Makes sample rows from the columns of entities, so that a new column needs no new sample. */

import type * as Entity from "../kernel/Entity.ts"
import { Evidence } from "../kernel/Evidence.ts"
import { Job } from "../kernel/Job.ts"
import * as StoreRow from "../kernel/StoreRow.ts"
import { Order } from "../orders/record/Order.ts"

/** Returns a row with the given columns. All other columns are blank (text ""), zero or null. */
export const blank = <C extends Entity.Columns>(
  entity: Entity.Entity<C>,
  columns: Partial<Entity.RowOf<C>>
): Entity.RowOf<C> =>
  filled(entity, columns, (column) =>
    column.nullable ? null : { text: "", integer: 0, sum: 0n, blob: new Uint8Array() }[column.kind]
  )

/** Returns a row with a different value in every column and for every `n`. */
export const full = <C extends Entity.Columns>(entity: Entity.Entity<C>, n: number): Entity.RowOf<C> =>
  filled(
    entity,
    {},
    (column, at) =>
      ({
        text: `${entity.name} ${n}.${at}`,
        integer: n * 1000 + at,
        sum: 2n ** 53n + BigInt(n * 1000 + at),
        blob: Uint8Array.of(n, at)
      })[column.kind]
  )

/** Returns the row with null in every nullable column. */
export const nulled = <C extends Entity.Columns>(entity: Entity.Entity<C>, row: Entity.RowOf<C>): Entity.RowOf<C> =>
  filled(entity, {}, (column, _, name) => (column.nullable ? null : (row[name] ?? null)))

const filled = <C extends Entity.Columns>(
  entity: Entity.Entity<C>,
  columns: Partial<Entity.RowOf<C>>,
  fill: (column: Entity.Column<Entity.Value>, at: number, name: string) => Entity.Value
): Entity.RowOf<C> => {
  const values = Object.entries(entity.columns).map(([name, column], at) => [name, fill(column, at, name)])
  return StoreRow.typed(entity, { ...Object.fromEntries(values), ...columns })
}

export const values = (row: Readonly<Record<string, Entity.Value>>, columns: ReadonlyArray<string>) =>
  columns.map((column) => row[column] ?? null)

export const order = (orderId: string, columns: Partial<Order> = {}): Order =>
  blank(Order, { orderId, merchantId: "merchant", clientOrderId: `client ${orderId}`, version: 1, ...columns })

export const job = (jobId: string, columns: Partial<Job> = {}): Job => blank(Job, { jobId, kind: "bank", ...columns })

/** Returns a row of an append-only entity. */
export const evidence = (evidenceId: string, columns: Partial<Evidence> = {}): Evidence =>
  blank(Evidence, { evidenceId, ...columns })
