/** Network faults as the client of a merchant sees them. */
import * as Wire from "@pay/transport/Wire"
import { Effect } from "effect"

export const refused = Effect.fail(new Wire.WireError({ reason: "NotSent", code: "ECONNREFUSED" }))
export const lost = Effect.fail(new Wire.WireError({ reason: "Lost", code: "ECONNRESET" }))

/** Answers of a proxy that does not reach the gateway or limits requests. */
export const proxy = [503, 504, 429].map((status) => ({
  status,
  headers: { "content-type": "text/html", "retry-after": "5" },
  body: `<html><body><h1>${status}</h1></body></html>`
}))

export const cut = (answer: Wire.WireAnswer): Wire.WireAnswer => ({
  ...answer,
  body: answer.body.slice(0, answer.body.length / 2)
})
