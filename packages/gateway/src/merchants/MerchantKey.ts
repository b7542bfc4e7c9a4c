/** What merchants prove themselves with: control keys and public RSA keys, each for as long as it is valid. */
import * as Entity from "../kernel/Entity.ts"

export type Kind = "control" | "rsa"

export const MerchantKey = Entity.make("merchantkeys", {
  columns: {
    /** `login/kind-number`. */
    keyId: Entity.text(),
    version: Entity.integer,
    merchantId: Entity.text(),
    kind: Entity.text<Kind>(),
    /** Counts the keys of one kind of the merchant. */
    number: Entity.integer,
    /** Tells whether a key is known: of a control key a keyed hash, of an RSA key the one that people compare. */
    fingerprint: Entity.text(),
    /** A control key: sealed, bound to `keyId`, base64url. An RSA key: PEM. Null once revoked. */
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
