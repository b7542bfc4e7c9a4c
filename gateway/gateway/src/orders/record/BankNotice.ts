/** An outcome that a bank has sent by itself, or that two people state. The job that would inquire about it applies it. */
import * as Entity from "../../kernel/Entity.ts"

export const BankNotice = Entity.make("bankNotices", {
  columns: {
    /**
     * The name of the acquirer and the bank's own identifier of the notification: the same one twice is one row. Of a statement: derived
     * from its task.
     */
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
