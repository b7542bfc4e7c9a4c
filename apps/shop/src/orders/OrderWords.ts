/** How an order stands, in words for its customer. */
import * as Catalogue from "../catalogue/Catalogue.ts"
import type { Order } from "./Orders.ts"

export interface Words {
  readonly sign: "" | "good" | "bad"
  readonly label: string
  readonly title: string
  readonly says: string
}

const again = "Nothing was charged. You can try again with this or another card."

const approved = ({ amountMinor, capturedMinor, currency, recurringId, released, returnedMinor }: Order): Words => {
  const back = Catalogue.price(returnedMinor, currency)
  const charged = Catalogue.price(capturedMinor, currency)
  if (returnedMinor > 0 && returnedMinor === capturedMinor) {
    return {
      sign: "good",
      label: "Refunded",
      title: "Your money is on its way back",
      says: `We have given back ${back}. Your bank shows it within a few days.`
    }
  }
  if (returnedMinor > 0) {
    return {
      sign: "good",
      label: "Partly refunded",
      title: `${back} is on its way back`,
      says: `We have given back ${back}. Your bank shows it within a few days.`
    }
  }
  if (capturedMinor === 0) {
    return released === 1
      ? {
          sign: "",
          label: "Released",
          title: "Your order was cancelled",
          says: "Nothing was charged. Your bank frees the amount within a few days."
        }
      : {
          sign: "good",
          label: "Reserved",
          title: "Thank you, your order is placed",
          says: "The amount is held on your card. We charge it on the day we ship."
        }
  }
  if (capturedMinor < amountMinor) {
    return {
      sign: "good",
      label: "Partly charged",
      title: `We have charged ${charged}`,
      says: released === 1 ? "The rest is no longer held on your card." : "The rest is still held on your card."
    }
  }
  return recurringId === null
    ? { sign: "good", label: "Paid", title: "Thank you, your order is paid", says: "We are packing it now." }
    : { sign: "good", label: "Paid", title: "Thank you, this month is paid", says: "Your subscription runs." }
}

export const words = (order: Order): Words => {
  switch (order.status) {
    case "open":
      return {
        sign: "",
        label: "Under way",
        title: "We are confirming your payment",
        says: "This takes a moment. The page tells you by itself; you may also close it and come back later."
      }
    case "approved":
      return approved(order)
    case "declined":
      return { sign: "bad", label: "Declined", title: "Your bank declined the payment", says: sayAgain(order) }
    case "abandoned":
      return { sign: "bad", label: "Not paid", title: "The payment was not finished", says: sayAgain(order) }
    case "failed":
      return { sign: "bad", label: "Not paid", title: "The payment did not work", says: sayAgain(order) }
    case "unclear":
      return {
        sign: "",
        label: "Being checked",
        title: "We do not know yet whether you have paid",
        says: "Please do not pay again. We are asking your bank and show the answer here."
      }
  }
}

const sayAgain = ({ recurringId }: Order): string =>
  recurringId === null ? again : "Nothing was charged for this month. Your subscription tells how it goes on."
