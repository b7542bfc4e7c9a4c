/** The shop's own book of orders: what a customer asked for, and how it stands. No card data is in any of it. */
import { NextAction } from "@pay/flows/NextAction"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { ShopDatabase } from "../ShopDatabase.ts"

/** `open` is under way; anything else is the end of the payment, as the shop tells it. */
export const Status = Schema.Literals(["open", "approved", "declined", "abandoned", "failed", "unclear"])
export type Status = typeof Status.Type

export const Order = Schema.Struct({
  /** The `client_orderid`. No secret: the gateway and issuers see it too. Whose the order is, `visitor` says. */
  id: Schema.String,
  /** Whose it is: the browser's cookie. */
  visitor: Schema.String,
  product: Schema.String,
  amountMinor: Schema.Int,
  currency: Schema.String,
  way: Schema.Literals(["hosted", "card", "kept"]),
  status: Status,
  /** The gateway's number, once it is known. */
  gatewayId: Schema.NullOr(Schema.String),
  capturedMinor: Schema.Int,
  returnedMinor: Schema.Int,
  /** 1: what was held and not charged is the customer's again. */
  released: Schema.Literals([0, 1]),
  lastFour: Schema.NullOr(Schema.String),
  /** Why it was not approved, for the back office. */
  reason: Schema.NullOr(Schema.String),
  /** The next action of the customer's browser. `sent` says whether the browser has been sent there. */
  errand: Schema.NullOr(Schema.fromJsonString(NextAction)),
  sent: Schema.Int,
  /** Counts changes: a page that shows an older one is out of date. */
  version: Schema.Int,
  createdAtMs: Schema.Int,
  /** The subscription whose payment this is. */
  recurringId: Schema.NullOr(Schema.String)
})
export type Order = typeof Order.Type
export type NewOrder = Pick<Order, "id" | "visitor" | "product" | "amountMinor" | "currency" | "way"> &
  Partial<Pick<Order, "recurringId">>

/** What became of it. */
export interface Outcome {
  readonly status: Status
  readonly gatewayId?: string | undefined
  readonly capturedMinor?: number
  readonly returnedMinor?: number
  readonly released?: boolean
  readonly lastFour?: string | undefined
  readonly reason?: string | undefined
}

const writeErrand = Schema.encodeSync(Schema.fromJsonString(NextAction))

const make = Effect.gen(function* () {
  const { run, select: read } = yield* ShopDatabase
  const select = (where: string, ...values: ReadonlyArray<string>) =>
    read(Order, `SELECT * FROM orders ${where}`, ...values)

  return {
    /** Writes it down before anything is sent; false: it is there already. */
    add: Effect.fnUntraced(function* (order: NewOrder) {
      const atMs = yield* Clock.currentTimeMillis
      return yield* run(
        `INSERT INTO orders (id, visitor, product, amountMinor, currency, way, recurringId, createdAtMs)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
        ...[order.id, order.visitor, order.product, order.amountMinor, order.currency, order.way],
        ...[order.recurringId ?? null, atMs]
      )
    }),
    find: (id: string) => Effect.map(select("WHERE id = ?", id), ([order]) => order),
    open: select("WHERE status = 'open'"),
    latest: select("ORDER BY createdAtMs DESC LIMIT 100"),
    of: (visitor: string) => select("WHERE visitor = ? ORDER BY createdAtMs DESC LIMIT 50", visitor),
    ofSubscription: (id: string) => select("WHERE recurringId = ? ORDER BY createdAtMs DESC LIMIT 50", id),
    /** May be told twice and late: amounts only grow, and what has ended is not open again. */
    conclude: (id: string, outcome: Outcome) =>
      run(
        `UPDATE orders SET status = ?, gatewayId = coalesce(?, gatewayId), lastFour = coalesce(?, lastFour), reason = ?,
           capturedMinor = max(capturedMinor, ?), returnedMinor = max(returnedMinor, ?),
           released = max(released, ?), errand = NULL, version = version + 1 WHERE id = ?`,
        ...[outcome.status, outcome.gatewayId ?? null, outcome.lastFour ?? null, outcome.reason ?? null],
        ...[outcome.capturedMinor ?? 0, outcome.returnedMinor ?? 0, outcome.released === true ? 1 : 0, id]
      ),
    released: (id: string) => run("UPDATE orders SET released = 1, version = version + 1 WHERE id = ?", id),
    subscribed: (id: string, recurringId: string) =>
      run("UPDATE orders SET recurringId = ? WHERE id = ?", recurringId, id),
    send: (id: string, nextAction: NextAction) =>
      run(
        "UPDATE orders SET errand = ?, sent = 0, version = version + 1 WHERE id = ? AND status = 'open'",
        ...[writeErrand(nextAction), id]
      ),
    wasSent: (id: string) => run("UPDATE orders SET sent = 1 WHERE id = ?", id),
    cameBack: (id: string) => run("UPDATE orders SET errand = NULL, version = version + 1 WHERE id = ?", id)
  }
})

export class Orders extends Context.Service<Orders, Effect.Success<typeof make>>()("@pay/shop/Orders") {
  static readonly layer = Layer.effect(Orders, make)
}
