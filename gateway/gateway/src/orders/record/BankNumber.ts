/**
 * The numbers under which a bank knows an approved payment, by which an operator finds it. They are rows of their own, written once:
 * in an index of orders they would make each approval write all indexes of its order.
 */
import * as Entity from "../../kernel/Entity.ts"
import type { Order } from "./Order.ts"

export const BankNumber = Entity.make("bankNumbers", {
  columns: {
    orderId: Entity.text(),
    approvalCode: Entity.text(),
    /** The bank's own identifier of the payment. */
    processorTxId: Entity.text(),
    /** When the order was created. */
    createdAtMs: Entity.integer
  },
  key: ["orderId"],
  index: {
    approvalCode: ["approvalCode", "createdAtMs", "orderId"],
    processorTxId: ["processorTxId", "createdAtMs", "orderId"]
  }
})
export type BankNumber = Entity.Row<typeof BankNumber>

export const of = (
  { createdAtMs, orderId }: Order,
  { approvalCode, processorTxId }: Pick<BankNumber, "approvalCode" | "processorTxId">
): BankNumber => ({ orderId, approvalCode, processorTxId, createdAtMs })
