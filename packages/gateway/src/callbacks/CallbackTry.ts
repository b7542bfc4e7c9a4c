/** The delivery log: each time a callback was sent, and each time an operator asked for it again. Forgotten after a while. */
import * as Entity from "../kernel/Entity.ts"

export const CallbackTry = Entity.make("callbackTries", {
  columns: {
    eventId: Entity.text(),
    /** Of the event's tries; what an operator asks for has the number of the try before it. */
    number: Entity.integer,
    what: Entity.text<"attempt" | "resend">(),
    atMs: Entity.integer,
    /** `200`, `503`, `connection refused`, …; of what an operator asks for: what the event was until then. */
    result: Entity.text()
  },
  key: ["eventId", "number", "what"],
  index: { at: ["atMs"] }
})
export type CallbackTry = Entity.Row<typeof CallbackTry>
