/** `GET /operator/balances?merchant=`, `POST /operator/balances`: what merchants may pay out, and making money payable. */
import * as Money from "@pay/schema/Money"
import { Effect, Schema } from "effect"
import type { Funding } from "../../payouts/Fund.ts"
import * as FundBalance from "../../payouts/FundBalance.ts"
import { actor, json, type Route, read, time, wrong } from "./Route.ts"

const Text = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(128))

const Posting = Schema.Struct({
  /** The operator's own: sent again with the same content it is the same posting. */
  reference: Text,
  merchant: Text,
  endpoint: Text,
  currency: Schema.optionalKey(Schema.String),
  /** In major units. */
  amount: Schema.String
})

const told = ({ amountMinor, createdAtMs, currency, endpointId, merchantId, reference }: Funding) => ({
  reference,
  merchant: merchantId,
  endpoint: endpointId,
  amount: Money.fromMinor(amountMinor, currency),
  currency,
  created: time(createdAtMs)
})

const listed = ({ availableMinor, currency, endpointId, heldMinor, paidMinor }: FundBalance.Standing) => ({
  endpoint: endpointId,
  currency,
  available: Money.fromMinor(availableMinor, currency),
  held: Money.fromMinor(heldMinor, currency),
  paid: Money.fromMinor(paidMinor, currency)
})

export const make = Effect.gen(function* () {
  const { add, show } = yield* FundBalance.make
  const routes: ReadonlyArray<Route> = [
    {
      method: "GET",
      path: "/operator/balances",
      run: ({ query }) => {
        const merchant = query.get("merchant")
        if (merchant === null) return Effect.succeed(wrong("give merchant=LOGIN"))
        return Effect.map(show(merchant), (found) => json(200, { merchant, balances: found.map(listed) }))
      }
    },
    {
      method: "POST",
      path: "/operator/balances",
      run: read(Posting, (posting, asked) =>
        Effect.map(add({ ...posting, currency: posting.currency }, actor(asked)), (funded) => {
          switch (funded._tag) {
            case "Booked":
              return json(funded.isReplay ? 200 : 201, { ...told(funded.funding), replay: funded.isReplay })
            case "Wrong":
              return wrong(funded.message)
            case "Differs":
              return json(409, {
                error: `reference ${funded.funding.reference} is another posting: ${funded.funding.merchantId}, endpoint ${funded.funding.endpointId}, ${Money.fromMinor(funded.funding.amountMinor, funded.funding.currency)} ${funded.funding.currency}`
              })
          }
        })
      )
    }
  ]
  return routes
})
