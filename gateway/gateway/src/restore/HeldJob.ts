/**
 * A job of a restored copy that has not been compared with bank and rail. Until then it does nothing, and its order or recurring payment
 * is closed: nobody moves or ends it.
 */
import * as Entity from "../kernel/Entity.ts"
import type { Kind } from "../kernel/Job.ts"

export const HeldJob = Entity.make("heldJobs", {
  columns: {
    jobId: Entity.text(),
    kind: Entity.text<Kind>(),
    /** The number of the order or recurring payment. */
    subject: Entity.text(),
    /** When the job is due after the comparison. */
    dueAtMs: Entity.integer,
    /** The task for operators while bank or rail cannot say what became of a request; null if there is none. */
    taskId: Entity.textOrNull()
  },
  key: ["jobId"],
  index: { subject: ["subject", "jobId"], task: ["taskId", "jobId"] }
})
export type HeldJob = Entity.Row<typeof HeldJob>
