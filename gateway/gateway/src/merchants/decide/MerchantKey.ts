/** Keys that authenticate merchants: control keys and public RSA keys, each with the time of its validity. */
import * as Entity from "../../kernel/Entity.ts"

export type Kind = "control" | "rsa"

export const MerchantKey = Entity.make("merchantKeys", {
  columns: {
    /** Identifier of the key: `login/kind-number`. */
    keyId: Entity.text(),
    version: Entity.integer,
    merchantId: Entity.text(),
    kind: Entity.text<Kind>(),
    /** Serial number among the merchant's keys of one kind. */
    number: Entity.integer,
    /** Identifies the key: a keyed hash of a control key, or the fingerprint of an RSA key that people compare. */
    fingerprint: Entity.text(),
    /** A control key: encrypted, bound to `keyId`, base64url. An RSA key: PEM. Null once the key is revoked. */
    material: Entity.textOrNull(),
    /** The source from which the key was first registered. */
    source: Entity.text<"file" | "operator">(),
    createdAtMs: Entity.integer,
    validFromMs: Entity.integer,
    validUntilMs: Entity.integerOrNull,
    revokedAtMs: Entity.integerOrNull
  },
  key: ["keyId"]
})
export type MerchantKey = Entity.Row<typeof MerchantKey>
