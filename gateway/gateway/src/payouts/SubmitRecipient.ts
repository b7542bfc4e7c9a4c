/** The recipient's entry on a hosted page of a payout: it selects the destination of the money. */

import * as CardRules from "@pay/schema/Card"
import * as Money from "@pay/schema/Money"
import type { FieldTexts } from "@pay/schema/Operation"
import { Effect, Option, Redacted } from "effect"
import type { OpenPage } from "../hosted/decide/HostedSession.ts"
import * as HostedPage from "../hosted/HostedPage.ts"
import { Ids } from "../kernel/Ids.ts"
import { Store } from "../kernel/Store.ts"
import { Directory } from "../merchants/Directory.ts"
import * as CustomerAddress from "../network/CustomerAddress.ts"
import type { Order } from "../orders/record/Order.ts"
import { isOfRail, type RailRequest } from "../orders/record/OrderRequest.ts"
import * as PayoutLifecycle from "../orders/record/PayoutLifecycle.ts"
import * as CardIdentity from "../orders/requests/CardIdentity.ts"
import { RiskCheck } from "../orders/requests/RiskCheck.ts"
import * as Destination from "../recipients/Destination.ts"
import * as Recipient from "../recipients/Recipient.ts"
import { Payout } from "../recipients/Recipient.ts"
import * as Risk from "../risk/Risk.ts"
import { KeyVault } from "../vault/KeyVault.ts"
import * as PayoutEnd from "./decide/PayoutEnd.ts"
import * as PayoutForm from "./decide/PayoutForm.ts"
import * as PayoutRegister from "./decide/PayoutRegister.ts"
import { PayoutRail } from "./PayoutRail.ts"

/** The actions of a hosted page for a payout. A check in flight moves no money, so it ends with its page. */
export const instrument: HostedPage.Instrument<RailRequest> = {
  isOf: isOfRail,
  takesEntry: ({ state }) => PayoutLifecycle.next(state, "check") !== undefined,
  endsInTime: ({ state }) => PayoutLifecycle.isUnpaid(state) || PayoutLifecycle.next(state, "abandon") !== undefined,
  giveUp: ({ form, order, request }, reason, { claim, nowMs }) => {
    const end = (event: "abandon" | "filter" | "lapse") =>
      PayoutEnd.giveUp(order, request, event, reason, { nowMs, claim: claim("callback") }, form)
    return reason.filteredBy === undefined ? (end("abandon") ?? end("lapse")) : end("filter")
  }
}

/** What the page needs to check an entry. */
export interface Asks {
  readonly ways: ReadonlyArray<Destination.Kind>
  /** The fields of a payout request that the order has. */
  readonly payout: FieldTexts
}

export const make = Effect.gen(function* () {
  const store = yield* Store
  const vault = yield* KeyVault
  const ids = yield* Ids
  const directory = yield* Directory
  const riskCheck = yield* RiskCheck
  const rail = Option.getOrUndefined(yield* Effect.serviceOption(PayoutRail))

  /** Returns the rule that stops a payout to this recipient; undefined if none does. */
  const judge = (order: Order, destination: Destination.Destination, nowMs: number): string | undefined => {
    const { kind, number } = destination
    const endpoint = directory.endpoint(order.endpointId)
    if (endpoint === undefined || !endpoint.enabled) return "endpoint-off"
    const ipAddress = CustomerAddress.of(order.ipAddress)
    if (kind !== "card") return PayoutRegister.judge(endpoint, { ...order, ipAddress, bin: "", cardHashes: [] }, nowMs)
    if (riskCheck.tooOften(number) !== undefined) return "velocity:card-rate"
    const cardHashes = CardIdentity.listed(vault, endpoint.risk, order.merchantId, number)
    const bin = CardRules.bin(Redacted.value(number))
    return PayoutRegister.judge(endpoint, { ...order, ipAddress, bin, cardHashes }, nowMs)
  }

  /** Processes the recipient's entry. `fields`: the fields of a payout request that name the destination. */
  const enter = Effect.fnUntraced(function* (
    page: OpenPage<RailRequest>,
    fields: Redacted.Redacted<FieldTexts>,
    acting: HostedPage.PageOperations<RailRequest>
  ) {
    const destination = Destination.of(Redacted.value(fields))
    if (destination === undefined) return
    const { act, claim, nowMs } = acting
    const { form, order, request } = page
    const filteredBy = judge(order, destination, nowMs)
    if (filteredBy !== undefined)
      return yield* act(instrument.giveUp(page, { ...Risk.declineOf(filteredBy), filteredBy }, acting))
    const { merchantId, orderId } = order
    const facts = Recipient.facts(vault, destination, { orderId, merchantId, purpose: form.session.purpose })
    yield* act(
      PayoutForm.begin({
        order,
        request,
        session: form.session,
        previous: yield* store.load(Payout, [orderId]),
        payout: { ...facts, orderId, merchantId, paidAtMs: null, createdAtMs: nowMs, erasedAtMs: null },
        attemptId: ids.next(),
        nowMs,
        claim: claim("rail")
      })
    )
  })

  /** The kinds of destination that the rail can pay to. */
  const ways = Destination.kinds.filter((kind) => rail?.capabilities.destinations.has(kind) === true)

  return {
    ...(yield* HostedPage.make(instrument, enter)),
    asks: ({ amountMinor, clientOrderId, currency }) => {
      const amount = Money.fromMinor(amountMinor, currency)
      return Effect.succeed({ ways, payout: { client_orderid: clientOrderId, amount, currency } })
    }
  } satisfies HostedPage.Actions<Asks, Redacted.Redacted<FieldTexts>>
})
