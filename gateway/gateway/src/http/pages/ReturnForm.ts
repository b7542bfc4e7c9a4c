/**
 * The return to the shop: one of the merchant's addresses, and the signed fields that the browser sends there. The fields are
 * only a hint; `status` has the authoritative outcome (public-protocol recipe of the callback).
 */
import * as CallbackFields from "@pay/schema/Callback"
import * as Callback from "@pay/signing/Callback"
import { Redacted } from "effect"
import type { Merchant } from "../../merchants/Directory.ts"
import * as CallbackContent from "../../orders/decide/CallbackContent.ts"
import * as Lifecycle from "../../orders/record/Lifecycle.ts"
import type { Order } from "../../orders/record/Order.ts"
import type { Return } from "./StatePage.ts"

/** Returns the status for the shop. Modules of the older dialect interpret `unknown` as a failure, so they get `processing`. */
const statusOf = ({ dialect, state }: Order): string => {
  const { wire } = Lifecycle.states[state]
  return wire === "unknown" && dialect !== null ? "processing" : wire
}

/** Returns the return address and its fields; `undefined` if the merchant gave no address. */
export const make = (order: Order, merchant: Merchant): Return | undefined => {
  const other = Lifecycle.isApproved(order.state) ? order.redirectSuccessUrl : order.redirectFailUrl
  const url = other ?? order.redirectUrl
  if (url === null) return undefined
  const values = CallbackContent.ofOrder(order, statusOf(order))
  const [newest] = merchant.controlKeys
  const control = newest === undefined ? "" : Callback.sign(values, Redacted.value(newest))
  return { url, fields: CallbackFields.parameters(values, control) }
}
