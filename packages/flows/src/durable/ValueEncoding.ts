/** Encodes the values of a flow for an engine that stores values unchanged: as JSON, encrypted if there is a cipher. */
import { Schema } from "effect"
import type { Cipher } from "./Cipher.ts"

/** The encoding of stored values. */
export interface ValueEncoding {
  readonly isEncrypted: boolean
  /** Encodes a value. `place` names where it is stored; an encrypted value can be decrypted only for the same place. */
  readonly encode: (json: Schema.Json, place: string) => Schema.Json
  /** Decodes a stored value. Throws if it was changed or moved, or was encrypted with a key that is not available. */
  readonly decode: (stored: Schema.Json, place: string) => Schema.Json
}

const read = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Json))
const isText = Schema.is(Schema.String)

/** Keeps values as they are, without encryption. */
export const none: ValueEncoding = {
  isEncrypted: false,
  encode: (json) => json,
  decode: (stored) => stored
}

export const make = (cipher: Cipher): ValueEncoding => ({
  isEncrypted: true,
  encode: (json, place) => Buffer.from(cipher.encrypt(JSON.stringify(json), place)).toString("base64"),
  decode: (stored, place) => {
    if (!isText(stored)) throw new Error("this value was not encrypted")
    return read(cipher.decrypt(Buffer.from(stored, "base64"), place))
  }
})
