/** Cards that customers asked the shop to keep: a reference of the gateway's and the last four digits, never a number. */
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { ShopDatabase } from "../ShopDatabase.ts"

export const Kept = Schema.Struct({ ref: Schema.String, lastFour: Schema.String })
export type Kept = typeof Kept.Type

const make = Effect.gen(function* () {
  const { run, select } = yield* ShopDatabase
  return {
    keep: Effect.fnUntraced(function* (visitor: string, { lastFour, ref }: Kept) {
      const atMs = yield* Clock.currentTimeMillis
      return yield* run(
        "INSERT INTO cards (visitor, ref, lastFour, createdAtMs) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        ...[visitor, ref, lastFour, atMs]
      )
    }),
    of: (visitor: string) =>
      select(Kept, "SELECT ref, lastFour FROM cards WHERE visitor = ? ORDER BY createdAtMs DESC", visitor)
  }
})

export class Wallet extends Context.Service<Wallet, Effect.Success<typeof make>>()("@pay/shop/Wallet") {
  static readonly layer = Layer.effect(Wallet, make)
}
