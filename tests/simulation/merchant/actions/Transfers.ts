/** Transfers to a card, from another card or from the merchant's balance. */
import { CanSend, Transfer, TransferByRef } from "@pay/flows/Transfer"
import { Redacted } from "effect"
import { type ActionKind, callbackUrl, decoded, intent, operations, orderResult, someOrder } from "../MerchantAction.ts"
import { fieldsOf, priceOf } from "../Price.ts"
import { cardOrder, someCard } from "./Cards.ts"
import { isStoredCard } from "./StoredCards.ts"

const to = { amount: "1.00", currency: "USD", "destination-card-no": "4444555566661111" }
const card = { credit_card_number: "4444555566661111", expire_month: "12", expire_year: "2030" }
const transferFields = decoded(operations.TRANSFER_V4, { client_orderid: "x", ...to, ...card })
const fromBalance = decoded(operations.TRANSFER_V4, { client_orderid: "x", ...to, deposit2card: "true" })
const byRefFields = decoded(operations.TRANSFER_BY_REF_V4, { "client-order-id": "x", ...to })
const { sendingCardNumber: __, ...canSendFields } = decoded(operations.PAN_ELIGIBILITY_SEND, {
  "client-order-id": "x",
  "sending-card-number": card.credit_card_number
})

export const transfers: ReadonlyArray<ActionKind> = [
  {
    flow: Transfer.name,
    weight: 5,
    draw: (draw) => {
      const { chance, clientOrderId } = draw
      const price = priceOf(draw)
      const { card, fields } = cardOrder(draw)
      const { serverCallbackUrl } = fields
      const payload = chance.percent(75)
        ? { ...transferFields, ...fields, ...fieldsOf(price) }
        : { ...fromBalance, ...fieldsOf(price), clientOrderId, serverCallbackUrl }
      const kind = "deposit2card" in payload ? "pay" : "transfer"
      return {
        flow: Transfer.name,
        intent: intent(draw, clientOrderId, clientOrderId, kind, price.amountMinor, price),
        endpoint: price.endpoint,
        creates: "transfer",
        card,
        run: (execute) => orderResult(execute(Transfer, payload))
      }
    }
  },
  {
    flow: CanSend.name,
    weight: 3,
    draw: (draw) => {
      const { account, chance, clientOrderId } = draw
      const payload = {
        ...canSendFields,
        clientOrderId,
        sendingCardNumber: Redacted.make(someCard(chance)),
        serverCallbackUrl: callbackUrl(account)
      }
      return {
        flow: CanSend.name,
        intent: intent(draw, clientOrderId, clientOrderId, "nothing", 0),
        creates: "eligibility",
        run: (execute) => orderResult(execute(CanSend, payload))
      }
    }
  },
  {
    flow: TransferByRef.name,
    weight: 5,
    draw: (draw) => {
      const { account, chance, clientOrderId } = draw
      const price = priceOf(draw)
      const source = chance.percent(60) ? someOrder(draw, isStoredCard)?.cardRef : undefined
      const payload = {
        ...byRefFields,
        ...fieldsOf(price),
        ...(source === undefined ? {} : { sourceCardRefId: source }),
        clientOrderId,
        serverCallbackUrl: callbackUrl(account)
      }
      const kind = source === undefined ? "pay" : "transfer"
      return {
        flow: TransferByRef.name,
        intent: intent(draw, clientOrderId, clientOrderId, kind, price.amountMinor, price),
        endpoint: price.endpoint,
        creates: "transfer",
        run: (execute) => orderResult(execute(TransferByRef, payload))
      }
    }
  }
]
