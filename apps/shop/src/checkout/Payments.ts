/** The payments of the checkout: the durable flow for each kind of product and each payment method. */
import type * as BrowserData from "@pay/flows/BrowserData"
import * as CardInMemory from "@pay/flows/CardInMemory"
import { Authorization, CardSale } from "@pay/flows/CardPayment"
import { HostedAuthorization, HostedSale } from "@pay/flows/HostedCheckout"
import * as RecordedFlow from "@pay/flows/RecordedFlow"
import { Rebill } from "@pay/flows/StoredCard"
import * as FlowStart from "../FlowStart.ts"
import * as Orders from "../orders/Orders.ts"
import { subscribe } from "../subscriptions/Subscriptions.ts"
import type { Product } from "./Catalogue.ts"
import type { Card, Contact } from "./CheckoutForm.ts"

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

/** The facts of a payment that do not depend on the payment method. */
export interface Purchase {
  /** The order, as the gateway gets it with every payment method. */
  readonly order: {
    readonly clientOrderId: string
    readonly endpointId: string
    readonly orderDesc: string
    readonly amount: string
    readonly currency: string
    readonly ipAddress: string
    readonly serverCallbackUrl: string
  }
  readonly redirectUrl: string
  readonly contact: Contact
}

/** The facts of a payment by a card that the customer typed into the shop's form. */
export interface CardPurchase extends Purchase {
  readonly card: Card
  readonly browser: ReturnType<typeof BrowserData.paymentFields>
}

/** The facts of a payment by a stored card. */
export interface StoredCardPurchase extends Purchase {
  readonly cardRefId: string
}

/** A payment method: how it starts, and whether it was started. */
interface Payment<P> {
  readonly prepare: (purchase: P) => ReturnType<typeof FlowStart.prepare>
  readonly isStarted: (clientOrderId: string) => ReturnType<typeof FlowStart.isStarted>
}

interface Payments {
  readonly hosted?: Payment<Purchase>
  readonly card?: Payment<CardPurchase>
  readonly kept?: Payment<StoredCardPurchase>
}

const monthly = { period: "monthly", interval: 1 } as const

/** The payment methods of each kind of product. */
export const payments: Readonly<Record<Product["billing"], Payments>> = {
  sale: {
    hosted: {
      prepare: ({ contact, order, redirectUrl }) =>
        FlowStart.prepare(hostedSale, { ...order, ...contact, redirectUrl }),
      isStarted: (id) => FlowStart.isStarted(hostedSale, id)
    },
    card: {
      prepare: ({ browser, card, contact, order, redirectUrl }) =>
        FlowStart.prepare(cardSale, { ...order, ...contact, ...card, ...browser, redirectUrl }),
      isStarted: (id) => FlowStart.isStarted(cardSale, id)
    },
    kept: {
      prepare: ({ cardRefId, order }) => FlowStart.prepare(storedCardSale, { ...order, cardRefId }),
      isStarted: (id) => FlowStart.isStarted(storedCardSale, id)
    }
  },
  authorize: {
    hosted: {
      prepare: ({ contact, order, redirectUrl }) =>
        FlowStart.prepare(hostedAuthorization, { ...order, ...contact, redirectUrl }),
      isStarted: (id) => FlowStart.isStarted(hostedAuthorization, id)
    },
    card: {
      prepare: ({ browser, card, contact, order, redirectUrl }) =>
        FlowStart.prepare(cardAuthorization, { ...order, ...contact, ...card, ...browser, redirectUrl }),
      isStarted: (id) => FlowStart.isStarted(cardAuthorization, id)
    }
  },
  monthly: {
    card: {
      prepare: ({ card, contact, order, redirectUrl }) =>
        FlowStart.prepare(subscribe, { ...order, ...contact, ...card, ...monthly, redirectUrl }),
      isStarted: (id) => FlowStart.isStarted(subscribe, id)
    },
    kept: {
      prepare: ({ cardRefId, contact, order, redirectUrl }) =>
        FlowStart.prepare(subscribe, { ...order, ...contact, ...monthly, cardRefId, redirectUrl }),
      isStarted: (id) => FlowStart.isStarted(subscribe, id)
    }
  }
}
