/** The checkout's payments: for each kind of product and each way to pay, the durable flow that carries it out. */
import { Authorization, CardSale } from "@pay/flows/CardPayment"
import { HostedAuthorization, HostedSale } from "@pay/flows/HostedCheckout"
import { Rebill } from "@pay/flows/StoredCard"
import { withCardInMemory, withOptionalCard } from "../flows/CardInMemory.ts"
import * as RecordedFlow from "../flows/RecordedFlow.ts"
import * as Orders from "../orders/Orders.ts"
import * as Outcomes from "../orders/Outcomes.ts"
import { subscribe } from "../subscriptions/Subscriptions.ts"
import type { Product } from "./Catalogue.ts"

const record = ({ clientOrderId }: { readonly clientOrderId: string }, end: Outcomes.End) =>
  Orders.change(clientOrderId, Outcomes.withEnd(end))

/** The gateway's page takes the card. */
export const hostedSale = RecordedFlow.make(HostedSale, record)
export const hostedReserve = RecordedFlow.make(HostedAuthorization, record)
/** The shop's own form takes the card, with 3-D Secure where the endpoint has it. */
export const cardSale = withCardInMemory(RecordedFlow.make(withOptionalCard(CardSale), record))
export const cardReserve = withCardInMemory(RecordedFlow.make(withOptionalCard(Authorization), record))
/** The customer has a stored card. */
export const storedCardSale = RecordedFlow.make(Rebill, record)

type Way = ReturnType<typeof RecordedFlow.starter>

export const ways: Readonly<Record<Product["billing"], Readonly<Partial<Record<Orders.Order["way"], Way>>>>> = {
  sale: {
    kept: RecordedFlow.starter(storedCardSale),
    hosted: RecordedFlow.starter(hostedSale),
    card: RecordedFlow.starter(cardSale)
  },
  reserve: { hosted: RecordedFlow.starter(hostedReserve), card: RecordedFlow.starter(cardReserve) },
  monthly: { kept: RecordedFlow.starter(subscribe), card: RecordedFlow.starter(subscribe) }
}
