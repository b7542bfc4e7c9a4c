/** Operations on merchants' keys, and the re-encryption of the store under the current master key. */
import { Schema } from "effect"
import * as Operation from "../OperatorOperation.ts"
import * as Parameter from "../OperatorParameter.ts"

const State = Schema.Literals(["pending", "active", "retiring", "expired", "revoked"])

const fields = {
  key: Schema.String,
  state: State,
  fingerprint: Schema.NullOr(Schema.String),
  source: Schema.Literals(["file", "operator"]),
  created: Parameter.Time,
  from: Parameter.Time,
  until: Schema.NullOr(Parameter.Time),
  revoked: Schema.NullOr(Parameter.Time)
}

const OfMerchant = Schema.Struct({ merchant: Schema.String, ...fields })

export const listKeys = Operation.make("listKeys", {
  method: "GET",
  path: "/operator/keys",
  command: "keys list",
  operands: ["merchant"],
  about: "Lists every key that a merchant has or had, with its state.",
  input: Schema.Struct({ merchant: Parameter.Merchant }),
  answer: Schema.Struct({
    merchant: Schema.String,
    keys: Schema.Array(Schema.Struct({ ...fields, signs: Schema.Boolean }))
  }),
  rows: { field: "keys", columns: ["key", "state", "signs", "from", "until", "revoked", "source", "fingerprint"] }
})

const addition = {
  merchant: Parameter.Merchant,
  kind: Schema.Literals(["control", "rsa"]).annotate(
    Parameter.info({ value: "KIND", about: "control (default) or rsa.", fallback: "control" })
  ),
  publicKey: Schema.optionalKey(
    Parameter.text({
      value: "FILE",
      flag: "public-key-file",
      kind: "file",
      about: "The merchant's public RSA key, PEM, at least 2048 bits."
    })
  ),
  from: Schema.optionalKey(
    Parameter.Time.annotate(
      Parameter.info({
        value: "TIME",
        about: "When the key becomes valid: 2026-11-21T08:00:00Z; at once by default."
      })
    )
  )
}

/** The answer that adds a key. A new control key is in this answer only. */
const Added = Schema.Struct({ ...OfMerchant.fields, secret: Schema.optional(Schema.String) })

export const addKey = Operation.make("addKey", {
  method: "POST",
  path: "/operator/keys/add",
  command: "keys add",
  operands: ["merchant"],
  about: "Adds a key to those that a merchant has.",
  changes: { audit: "key.add", role: "admin", secondPerson: "configurable" },
  statuses: [201],
  input: Schema.Struct(addition),
  answer: Added
})

const longestOverlapMs = 366 * 86_400_000

export const rotateKey = Operation.make("rotateKey", {
  method: "POST",
  path: "/operator/keys/rotate",
  command: "keys rotate",
  operands: ["merchant"],
  about: "Adds a key and retires the others of its kind after an overlap.",
  changes: { audit: "key.rotate", role: "admin", secondPerson: "configurable" },
  statuses: [201],
  input: Schema.Struct({
    ...addition,
    overlapMs: Schema.optionalKey(
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: longestOverlapMs })).annotate(
        Parameter.info({
          value: "TIME",
          flag: "overlap",
          kind: "duration",
          about: "How long the other keys stay valid: 24h by default; s, m, h, d."
        })
      )
    )
  }),
  answer: Added
})

export const revokeKey = Operation.make("revokeKey", {
  method: "POST",
  path: "/operator/keys/revoke",
  command: "keys revoke",
  operands: ["merchant", "key"],
  about: "Revokes a key at once.",
  changes: { audit: "key.revoke", role: "admin" },
  input: Schema.Struct({
    merchant: Parameter.Merchant,
    key: Parameter.text({ value: "KEY", about: "The key's name: control-1." }),
    last: Schema.optionalKey(
      Schema.Boolean.annotate(
        Parameter.info({
          kind: "switch",
          about: "Revoke the key even if it is the merchant's last one of its kind."
        })
      )
    )
  }),
  answer: OfMerchant
})

const Rotation = Schema.Struct({
  state: Schema.Literals(["never", "running", "done", "broken"]),
  /** Rows that were read. */
  rows: Schema.Int,
  reencrypted: Schema.Int,
  /** Rows that no key of the key ring decrypts. If there are any, the older master keys must stay. */
  failed: Schema.Int
})

const rotation = { path: "/operator/keys/rotation", command: "keys rotation", input: Schema.Struct({}) } as const

export const showKeyRotation = Operation.make("showKeyRotation", {
  ...rotation,
  method: "GET",
  about: "Shows how far the newest re-encryption under the current master key is.",
  answer: Rotation
})

export const beginKeyRotation = Operation.make("beginKeyRotation", {
  ...rotation,
  method: "POST",
  about: "Begins to re-encrypt, under the current master key, everything encrypted under an older one.",
  changes: { audit: "master-key.rotate", role: "admin" },
  statuses: [202, 409],
  answer: Rotation
})
