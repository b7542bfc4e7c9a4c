/** What the back office did with orders, and what became of it. An action's name was made with its form, so it is done once. */
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { ShopDatabase } from "../ShopDatabase.ts"

export const Action = Schema.Struct({
  name: Schema.String,
  orderId: Schema.String,
  kind: Schema.Literals(["capture", "release", "refund"]),
  amountMinor: Schema.Int,
  /** `unclear`: sent, and the gateway could not say in time what became of it. */
  status: Schema.Literals(["open", "unclear", "done", "refused"]),
  reason: Schema.NullOr(Schema.String),
  createdAtMs: Schema.Int
})
export type Action = typeof Action.Type
export type NewAction = Omit<Action, "status" | "reason" | "createdAtMs">

const make = Effect.gen(function* () {
  const { run, select } = yield* ShopDatabase
  return {
    /** `seen`: the order and its actions when this was decided. False: one of them has changed since, so decide again. */
    add: Effect.fnUntraced(function* (
      { amountMinor, kind, name, orderId }: NewAction,
      displayed: { readonly version: number; readonly actions: number }
    ) {
      const atMs = yield* Clock.currentTimeMillis
      return yield* run(
        `INSERT INTO actions (name, orderId, kind, amountMinor, createdAtMs) SELECT ?, ?, ?, ?, ?
         WHERE (SELECT version FROM orders WHERE id = ?) = ? AND (SELECT count(*) FROM actions WHERE orderId = ?) = ?
         ON CONFLICT DO NOTHING`,
        ...[name, orderId, kind, amountMinor, atMs],
        ...[orderId, displayed.version, orderId, displayed.actions]
      )
    }),
    find: (name: string) =>
      Effect.map(select(Action, "SELECT * FROM actions WHERE name = ?", name), ([action]) => action),
    of: (orderId: string) => select(Action, "SELECT * FROM actions WHERE orderId = ? ORDER BY createdAtMs", orderId),
    open: select(Action, "SELECT * FROM actions WHERE status = 'open'"),
    /** Goes on asking; false: there is nothing to ask. */
    reopen: (name: string) =>
      run("UPDATE actions SET status = 'open', reason = NULL WHERE name = ? AND status = 'unclear'", name),
    conclude: (name: string, status: Action["status"], reason: string | null = null) =>
      run("UPDATE actions SET status = ?, reason = ? WHERE name = ?", status, reason, name)
  }
})

export class Actions extends Context.Service<Actions, Effect.Success<typeof make>>()("@pay/shop/Actions") {
  static readonly layer = Layer.effect(Actions, make)
}
