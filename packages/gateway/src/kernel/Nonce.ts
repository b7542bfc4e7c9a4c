/** OAuth nonces already spent: once per consumer, remembered for twice the tolerated clock skew. */
import * as Entity from "./Entity.ts"

export const Nonce = Entity.make("nonces", {
  columns: { consumerKey: Entity.text(), nonce: Entity.text(), seenAtMs: Entity.integer },
  key: ["consumerKey", "nonce"],
  index: { seen: ["seenAtMs"] }
})
export type Nonce = Entity.Row<typeof Nonce>
