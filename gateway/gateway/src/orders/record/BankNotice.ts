/** An outcome that a bank has sent by itself. The job of an open request applies it. */
import * as Entity from "../../kernel/Entity.ts"

export const BankNotice = Entity.make("bankNotices", {
  columns: {
    /** The name of the acquirer and the bank's own identifier of the notification: the same one twice is one row. */
    noticeId: Entity.text(),
    /** The reference of the request, `orderid-kind-n`. */
    reference: Entity.text(),
    orderId: Entity.text(),
    /** `Failed`: the request failed after its approval. */
    fact: Entity.text<"Outcome" | "Failed">(),
    /** JSON of the answer. */
    answer: Entity.text(),
    atMs: Entity.integer
  },
  key: ["noticeId"],
  index: { reference: ["reference"] },
  appendOnly: true
})
export type BankNotice = Entity.Row<typeof BankNotice>
