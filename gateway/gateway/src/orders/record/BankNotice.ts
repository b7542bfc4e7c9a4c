/** An outcome that a bank has sent by itself, for a request that was open. The request's job applies it. */
import * as Entity from "../../kernel/Entity.ts"

export const BankNotice = Entity.make("bankNotices", {
  columns: {
    /** The name of the acquirer and the bank's own identifier of the notification: the same one twice is one row. */
    noticeId: Entity.text(),
    /** The reference of the request, `orderid-kind-n`. */
    reference: Entity.text(),
    orderId: Entity.text(),
    /** JSON of the answer. */
    answer: Entity.text(),
    atMs: Entity.integer
  },
  key: ["noticeId"],
  index: { reference: ["reference"] },
  appendOnly: true
})
export type BankNotice = Entity.Row<typeof BankNotice>
