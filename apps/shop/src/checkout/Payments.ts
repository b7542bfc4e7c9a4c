/** The checkout's payments: for each kind of product and each way to pay, the durable flow that carries it out. */
import { Authorization, CardSale } from "@pay/flows/CardPayment"
import { HostedAuthorization, HostedSale } from "@pay/flows/HostedCheckout"
import { Rebill } from "@pay/flows/StoredCard"
import { make, starter, withCardInMemory, withOptionalCard } from "../flows/RecordedFlow.ts"
import * as Orders from "../orders/Orders.ts"
import { subscribe } from "../subscriptions/Subscriptions.ts"
import type { Product } from "./Catalogue.ts"

const record = ({ clientOrderId }: { readonly clientOrderId: string }, end: Orders.End) =>
  Orders.change(clientOrderId, Orders.withEnd(end))

/** The gateway's page takes the card. */
export const hostedSale = make(HostedSale, record)
export const hostedReserve = make(HostedAuthorization, record)
/** The shop's own form takes the card, with 3-D Secure where the endpoint has it. */
export const cardSale = withCardInMemory(make(withOptionalCard(CardSale), record))
export const cardReserve = withCardInMemory(make(withOptionalCard(Authorization), record))
/** The customer has a stored card. */
export const storedCardSale = make(Rebill, record)

type Way = ReturnType<typeof starter>

export const ways: Readonly<Record<Product["billing"], Readonly<Partial<Record<Orders.Order["way"], Way>>>>> = {
  sale: { kept: starter(storedCardSale), hosted: starter(hostedSale), card: starter(cardSale) },
  reserve: { hosted: starter(hostedReserve), card: starter(cardReserve) },
  monthly: { kept: starter(subscribe), card: starter(subscribe) }
}
