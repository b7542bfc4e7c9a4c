/** What the shop pays to its suppliers. Their account numbers are in no table: only sealed in the flow that needs them. */
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { ShopDatabase } from "../ShopDatabase.ts"

export const Payout = Schema.Struct({
  id: Schema.String,
  supplier: Schema.String,
  amountMinor: Schema.Int,
  currency: Schema.String,
  /** `checked`: the money is set aside, and somebody has to confirm. `unclear`: confirmed, and the bank cannot say. */
  status: Schema.Literals(["checking", "checked", "paying", "unclear", "paid", "refused"]),
  gatewayId: Schema.NullOr(Schema.String),
  reason: Schema.NullOr(Schema.String),
  createdAtMs: Schema.Int
})
export type Payout = typeof Payout.Type

const make = Effect.gen(function* () {
  const { run, select } = yield* ShopDatabase
  return {
    /** False: it is there already. */
    add: Effect.fnUntraced(function* ({
      amountMinor,
      currency,
      id,
      supplier
    }: Pick<Payout, "id" | "supplier" | "amountMinor" | "currency">) {
      const atMs = yield* Clock.currentTimeMillis
      return yield* run(
        "INSERT INTO payouts (id, supplier, amountMinor, currency, createdAtMs) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        ...[id, supplier, amountMinor, currency, atMs]
      )
    }),
    find: (id: string) => Effect.map(select(Payout, "SELECT * FROM payouts WHERE id = ?", id), ([payout]) => payout),
    latest: select(Payout, "SELECT * FROM payouts ORDER BY createdAtMs DESC LIMIT 50"),
    /** What has not ended. */
    open: select(Payout, "SELECT * FROM payouts WHERE status NOT IN ('paid', 'refused')"),
    checked: (id: string, gatewayId: string) =>
      run("UPDATE payouts SET status = 'checked', gatewayId = ? WHERE id = ?", gatewayId, id),
    /** False: somebody has confirmed it before. */
    confirm: (id: string) =>
      run("UPDATE payouts SET status = 'paying' WHERE id = ? AND status IN ('checked', 'unclear')", id),
    conclude: (id: string, status: Payout["status"], reason: string | null = null) =>
      run("UPDATE payouts SET status = ?, reason = ? WHERE id = ?", status, reason, id)
  }
})

export class Payouts extends Context.Service<Payouts, Effect.Success<typeof make>>()("@pay/shop/Payouts") {
  static readonly layer = Layer.effect(Payouts, make)
}
