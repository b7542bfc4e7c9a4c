/** Encodes the values of a flow for an engine that stores values unchanged: as JSON, encrypted if there is a cipher. */
import { hash } from "node:crypto"
import { Schema } from "effect"
import type { Cipher } from "./Cipher.ts"

/** The encoding of stored values. */
export interface ValueEncoding {
  readonly isEncrypted: boolean
  /** Encodes a value. `place` names where it is stored; an encrypted value can be decrypted only for the same place. */
  readonly encode: (json: Schema.Json, place: string) => Schema.Json
  /** Decodes a stored value. Throws if it was changed or moved, or was encrypted with a key that is not available. */
  readonly decode: (stored: Schema.Json, place: string) => Schema.Json
  /** Returns a fingerprint of a value for {@link ValueEncoding.matches}. With a cipher it reveals nothing else about the value. */
  readonly fingerprint: (json: Schema.Json) => string
  readonly matches: (json: Schema.Json, fingerprint: string) => boolean
}

const read = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Json))
const isText = Schema.is(Schema.String)
const digest = (json: Schema.Json): string => hash("sha256", JSON.stringify(json))

/** Keeps values as they are, without encryption. */
export const none: ValueEncoding = {
  isEncrypted: false,
  encode: (json) => json,
  decode: (stored) => stored,
  fingerprint: digest,
  matches: (json, fingerprint) => digest(json) === fingerprint
}

export const make = (cipher: Cipher): ValueEncoding => ({
  isEncrypted: true,
  encode: (json, place) => Buffer.from(cipher.encrypt(JSON.stringify(json), place)).toString("base64"),
  decode: (stored, place) => {
    if (!isText(stored)) throw new Error("this value was not encrypted")
    return read(cipher.decrypt(Buffer.from(stored, "base64"), place))
  },
  fingerprint: (json) => cipher.fingerprint(JSON.stringify(json)),
  matches: (json, fingerprint) => cipher.matches(JSON.stringify(json), fingerprint)
})
