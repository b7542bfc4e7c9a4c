/** The shop's book of subscriptions: how each stands. Its payments are orders, one for each month. */
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { ShopDatabase } from "../ShopDatabase.ts"

/** The state of a subscription, as the gateway reports it. */
export const State = Schema.Literals(["active", "paused", "suspended", "finished", "cancelled"])
export type State = typeof State.Type
export const isState = Schema.is(State)

export const Subscription = Schema.Struct({
  /** The gateway's `recurring-payment-id`. */
  id: Schema.String,
  /** The order with which it began. */
  orderId: Schema.String,
  /** Whose it is. */
  visitor: Schema.String,
  product: Schema.String,
  state: State,
  /** The day of the next charge, `YYYY-MM-DD`. It is null if there will be none. */
  nextDay: Schema.NullOr(Schema.String),
  lastFour: Schema.NullOr(Schema.String),
  /** The name of a change that is under way. */
  asked: Schema.NullOr(Schema.String),
  /** Why the last change did not work. */
  problem: Schema.NullOr(Schema.String),
  version: Schema.Int,
  createdAtMs: Schema.Int
})
export type Subscription = typeof Subscription.Type

const make = Effect.gen(function* () {
  const { run, select } = yield* ShopDatabase
  return {
    /** May be told twice: it begins once. */
    begin: Effect.fnUntraced(function* (
      begun: Pick<Subscription, "id" | "orderId" | "visitor" | "product" | "nextDay" | "lastFour">
    ) {
      const atMs = yield* Clock.currentTimeMillis
      return yield* run(
        `INSERT INTO subscriptions (id, orderId, visitor, product, state, nextDay, lastFour, createdAtMs)
         VALUES (?, ?, ?, ?, 'active', ?, ?, ?) ON CONFLICT DO NOTHING`,
        ...[begun.id, begun.orderId, begun.visitor, begun.product, begun.nextDay, begun.lastFour, atMs]
      )
    }),
    find: (id: string) =>
      Effect.map(
        select(Subscription, "SELECT * FROM subscriptions WHERE id = ?", id),
        ([subscription]) => subscription
      ),
    begunWith: (orderId: string) =>
      Effect.map(
        select(Subscription, "SELECT * FROM subscriptions WHERE orderId = ?", orderId),
        ([subscription]) => subscription
      ),
    of: (visitor: string) =>
      select(Subscription, "SELECT * FROM subscriptions WHERE visitor = ? ORDER BY createdAtMs DESC LIMIT 20", visitor),
    changing: select(Subscription, "SELECT * FROM subscriptions WHERE asked IS NOT NULL"),
    /** What the gateway says. What is over does not come back, however late an older answer is. */
    stands: (id: string, state: State, nextDay: string | null) =>
      run(
        `UPDATE subscriptions SET state = ?, nextDay = ?, version = version + 1
         WHERE id = ? AND state NOT IN ('cancelled', 'finished') AND (state <> ? OR nextDay IS NOT ?)`,
        ...[state, nextDay, id, state, nextDay]
      ),
    /** Begins a change; false: another is under way. */
    ask: (id: string, name: string) =>
      run(
        "UPDATE subscriptions SET asked = ?, problem = NULL, version = version + 1 WHERE id = ? AND asked IS NULL",
        ...[name, id]
      ),
    /** A change has ended. */
    changed: (id: string, { lastFour = null, problem = null }: Partial<Pick<Subscription, "lastFour" | "problem">>) =>
      run(
        `UPDATE subscriptions SET asked = NULL, problem = ?, lastFour = coalesce(?, lastFour), version = version + 1
         WHERE id = ?`,
        ...[problem, lastFour, id]
      )
  }
})

export class Subscriptions extends Context.Service<Subscriptions, Effect.Success<typeof make>>()(
  "@pay/shop/Subscriptions"
) {
  static readonly layer = Layer.effect(Subscriptions, make)
}
