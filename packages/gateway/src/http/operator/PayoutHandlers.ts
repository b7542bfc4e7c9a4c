/** The payouts that wait for a second person, as that person will be shown them. */
import { Effect } from "effect"
import * as WaitingPayouts from "../../payouts/WaitingPayouts.ts"
import * as ApprovalApi from "../ApprovalApi.ts"
import type { Handlers } from "./OperatorHandler.ts"

export const make = Effect.map(
  WaitingPayouts.make,
  (waiting): Pick<Handlers, "listPayouts"> => ({
    listPayouts: ({ after, limit, merchant }) => Effect.map(waiting(merchant, limit, after), ApprovalApi.pageOf)
  })
)
