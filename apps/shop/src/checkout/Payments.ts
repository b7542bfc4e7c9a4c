/** The checkout's payments: for each kind of product and each way to pay, the durable flow that carries it out. */
import * as CardInMemory from "@pay/flows/CardInMemory"
import { Authorization, CardSale } from "@pay/flows/CardPayment"
import { HostedAuthorization, HostedSale } from "@pay/flows/HostedCheckout"
import * as RecordedFlow from "@pay/flows/RecordedFlow"
import { Rebill } from "@pay/flows/StoredCard"
import * as FlowStarter from "../FlowStarter.ts"
import * as Orders from "../orders/Orders.ts"
import { subscribe } from "../subscriptions/Subscriptions.ts"
import type { Product } from "./Catalogue.ts"

const record = ({ clientOrderId }: { readonly clientOrderId: string }, end: Orders.End) =>
  Orders.change(clientOrderId, Orders.withEnd(end))

/** The gateway's page takes the card. */
export const hostedSale = RecordedFlow.make(HostedSale, record)
export const hostedReserve = RecordedFlow.make(HostedAuthorization, record)
/** The shop's own form takes the card, with 3-D Secure where the endpoint has it. */
export const cardSale = CardInMemory.make(RecordedFlow.make(CardSale, record))
export const cardReserve = CardInMemory.make(RecordedFlow.make(Authorization, record))
/** The customer has a stored card. */
export const storedCardSale = RecordedFlow.make(Rebill, record)

type Starter = ReturnType<typeof FlowStarter.make>

export const ways: Readonly<Record<Product["billing"], Readonly<Partial<Record<Orders.Order["way"], Starter>>>>> = {
  sale: {
    kept: FlowStarter.make(storedCardSale),
    hosted: FlowStarter.make(hostedSale),
    card: FlowStarter.make(cardSale)
  },
  reserve: { hosted: FlowStarter.make(hostedReserve), card: FlowStarter.make(cardReserve) },
  monthly: { kept: FlowStarter.make(subscribe), card: FlowStarter.make(subscribe) }
}
