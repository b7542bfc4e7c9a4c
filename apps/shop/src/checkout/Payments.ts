/** The checkout's payments: for each kind of product and each way to pay, the durable flow that carries it out. */
import { Authorization, CardSale } from "@pay/flows/CardPayment"
import type * as Flow from "@pay/flows/Flow"
import { HostedAuthorization, HostedSale } from "@pay/flows/HostedCheckout"
import { Rebill } from "@pay/flows/StoredCard"
import { forgetful, withOptionalCard } from "../flows/CardInMemory.ts"
import * as RecordedFlow from "../flows/RecordedFlow.ts"
import * as Orders from "../orders/Orders.ts"
import * as Outcomes from "../orders/Outcomes.ts"
import { subscribe } from "../subscriptions/Subscriptions.ts"
import type { Product } from "./Catalogue.ts"

const record = ({ client_orderid }: { readonly client_orderid: string }, end: Outcomes.End) =>
  Orders.change(client_orderid, Outcomes.withEnd(end))

/** The gateway's page takes the card. */
export const hostedSale = RecordedFlow.make(HostedSale, record)
export const hostedReserve = RecordedFlow.make(HostedAuthorization, record)
/** The shop's own form takes the card, with 3-D Secure where the endpoint has it. */
export const cardSale = forgetful(RecordedFlow.make(withOptionalCard(CardSale), record))
export const cardReserve = forgetful(RecordedFlow.make(withOptionalCard(Authorization), record))
/** The customer has a stored card. */
export const storedCardSale = RecordedFlow.make(Rebill, record)

const way = <N extends string, F extends Flow.Fields, A extends Flow.Written, E extends Flow.Written, R>(
  flow: Flow.Flow<N, F, A, E, R>
) => ({
  start: RecordedFlow.starter(flow),
  isStarted: (orderId: string) => RecordedFlow.isStarted(flow, orderId)
})
type Ways = Readonly<Partial<Record<Orders.Order["way"], ReturnType<typeof way>>>>

export const ways: Readonly<Record<Product["billing"], Ways>> = {
  sale: { kept: way(storedCardSale), hosted: way(hostedSale), card: way(cardSale) },
  reserve: { hosted: way(hostedReserve), card: way(cardReserve) },
  monthly: { kept: way(subscribe), card: way(subscribe) }
}
