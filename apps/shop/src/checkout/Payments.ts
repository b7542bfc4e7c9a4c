/** The payments of the checkout: the durable flow for each kind of product and each payment method. */
import * as CardInMemory from "@pay/flows/CardInMemory"
import { Authorization, CardSale } from "@pay/flows/CardPayment"
import { HostedAuthorization, HostedSale } from "@pay/flows/HostedCheckout"
import * as RecordedFlow from "@pay/flows/RecordedFlow"
import { Rebill } from "@pay/flows/StoredCard"
import * as FlowStart from "../FlowStart.ts"
import * as Orders from "../orders/Orders.ts"
import { subscribe } from "../subscriptions/Subscriptions.ts"
import type { Product } from "./Catalogue.ts"

const record = ({ clientOrderId }: { readonly clientOrderId: string }, end: Orders.End) =>
  Orders.change(clientOrderId, (order) => Orders.changesByEnd(order, end))

/** The customer types the card into the gateway's hosted page. */
export const hostedSale = RecordedFlow.make(HostedSale, record)
export const hostedAuthorization = RecordedFlow.make(HostedAuthorization, record)
/** The customer types the card into the shop's own form, with 3-D Secure where the endpoint requires it. */
export const cardSale = CardInMemory.make(RecordedFlow.make(CardSale, record))
export const cardAuthorization = CardInMemory.make(RecordedFlow.make(Authorization, record))
/** The customer pays with a stored card. */
export const storedCardSale = RecordedFlow.make(Rebill, record)

type Starter = ReturnType<typeof FlowStart.of>

export const flows: Readonly<Record<Product["billing"], Readonly<Partial<Record<Orders.Order["way"], Starter>>>>> = {
  sale: { kept: FlowStart.of(storedCardSale), hosted: FlowStart.of(hostedSale), card: FlowStart.of(cardSale) },
  authorize: { hosted: FlowStart.of(hostedAuthorization), card: FlowStart.of(cardAuthorization) },
  monthly: { kept: FlowStart.of(subscribe), card: FlowStart.of(subscribe) }
}
