/** What a line of the log says of the order that it is about. */
import * as LogText from "../../kernel/LogText.ts"
import type { Order } from "./Order.ts"

export const aboutOf = ({ clientOrderId, merchantId, orderId }: Order) => ({
  merchant: merchantId,
  orderId,
  clientOrderId: LogText.of(clientOrderId, 128)
})
