/**
 * Orders that stand in a store, as templates for many others: each of those has a name, card and times of its own. Which columns there
 * are, and which rows an order has, is read from the entities and from those rows.
 */

import type { Card, Order, OrderRequest } from "@pay/gateway/Entities"
import type * as Entity from "@pay/gateway/Entity"

/** What is another for each order: as it stands in a template, and the column of `made` that takes its place. */
interface Name {
  readonly text: string
  readonly made: string
}

/** The names in the rows of each template. */
export type Names = ReadonlyArray<ReadonlyArray<Name>>

/** How long ago the first of them was accepted: less than any hold lasts, so that none is due. */
export const spanMs = 6 * 86_400_000
/** Cards by which all these orders were paid. */
export const cards = 300_000

/** Returns the names of each order, its identifier first. */
export const namesOf = (rows: {
  readonly orders: ReadonlyArray<Order>
  readonly requests: ReadonlyArray<OrderRequest>
  readonly cards: ReadonlyArray<Card>
}): Names => {
  const hashes = new Map(rows.cards.map(({ cardId, panHash }) => [cardId, panHash]))
  return rows.orders.map(({ clientOrderId, lastFour, orderId }) => [
    { text: orderId, made: "orderId" },
    ...rows.requests
      .filter((request) => request.orderId === orderId)
      .map(({ requestId }, n) => ({ text: requestId, made: `request${n}` })),
    { text: clientOrderId, made: "clientOrderId" },
    { text: hashes.get(orderId) ?? "", made: "panHash" },
    { text: lastFour, made: "lastFour" }
  ])
}

/** The number of the first order, so long before the templates that all others come between. */
export const firstId = (names: Names): bigint => BigInt(names[0]?.[0]?.text ?? "0") - (BigInt(spanMs) << 22n)

/** A template's value with placeholders for its names; the last four digits are a name only where they stand alone. */
const opened = (value: Entity.Value, names: ReadonlyArray<Name>): Entity.Value => {
  if (typeof value !== "string") return value
  return names.reduce(
    (text, name) =>
      name.made === "lastFour"
        ? text === name.text
          ? `{${name.made}}`
          : text
        : text.replaceAll(name.text, `{${name.made}}`),
    value
  )
}

interface TemplateRow {
  readonly template: number
  readonly values: ReadonlyArray<Entity.Value>
}

/** Returns the rows of an entity that belong to a template, with placeholders, once for each template that they name. */
export const rowsOf = (
  entity: Entity.Entity,
  rows: ReadonlyArray<Readonly<Record<string, Entity.Value>>>,
  names: Names
): ReadonlyArray<TemplateRow> =>
  rows.flatMap((row) =>
    names.flatMap((own, template) => {
      const values = Object.keys(entity.columns).map((column) => opened(row[column] ?? null, own))
      const mentions = values.some((value) => typeof value === "string" && /\{(orderId|request\d)\}/.test(value))
      return mentions ? [{ template, values }] : []
    })
  )

/** Returns the placeholders in these values, each once. */
export const placeholders = (values: ReadonlyArray<Entity.Value>): ReadonlySet<string> =>
  new Set(values.flatMap((value) => (typeof value === "string" ? (value.match(/\{\w+\}/g) ?? []) : [])))
