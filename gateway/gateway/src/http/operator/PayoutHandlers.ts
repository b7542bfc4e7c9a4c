/** Handles operations on balances for payouts, and on payouts that wait for a second person. */
import * as Money from "@pay/schema/Money"
import { Effect } from "effect"
import * as FundBalance from "../../payouts/FundBalance.ts"
import * as WaitingPayouts from "../../payouts/WaitingPayouts.ts"
import * as ApprovalApi from "../ApprovalApi.ts"
import { conflict, type Handlers, invalid, WithStatus } from "./OperatorHandler.ts"

export const make = Effect.map(
  Effect.all([FundBalance.make, WaitingPayouts.make]),
  ([{ add, show }, waiting]): Pick<Handlers, "addBalance" | "showBalances" | "listPayouts"> => ({
    listPayouts: ({ after, limit, merchant }) => Effect.map(waiting(merchant, limit, after), ApprovalApi.pageOf),
    showBalances: ({ merchant }) =>
      Effect.map(show(merchant), (balances) => ({
        merchant,
        balances: balances.map(({ availableMinor, currency, endpointId, heldMinor, paidMinor }) => ({
          endpoint: endpointId,
          currency,
          available: Money.fromMinor(availableMinor, currency),
          onHold: Money.fromMinor(heldMinor, currency),
          paid: Money.fromMinor(paidMinor, currency)
        }))
      })),
    addBalance: (posting, actor) =>
      Effect.flatMap(add({ ...posting, currency: posting.currency }, actor), (result) => {
        if (result._tag === "Wrong") return invalid(result.message)
        const { amountMinor, createdAtMs, currency, endpointId, merchantId, reference } = result.funding
        const amount = Money.fromMinor(amountMinor, currency)
        if (result._tag === "Differs")
          return conflict(
            `reference ${reference} is another posting: ${merchantId}, endpoint ${endpointId}, ${amount} ${currency}`
          )
        const { isReplay: replay } = result
        const answer = { reference, merchant: merchantId, endpoint: endpointId, amount, currency, created: createdAtMs }
        return Effect.succeed(new WithStatus(replay ? 200 : 201, { ...answer, replay }))
      })
  })
)
