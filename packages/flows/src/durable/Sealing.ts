/** How what a flow writes down stands with an engine that keeps values as they are: as JSON, sealed where there is a cipher. */
import { hash } from "node:crypto"
import { Schema } from "effect"
import type { Cipher } from "./Cipher.ts"

export interface Sealing {
  readonly isSealed: boolean
  /** `place` names where the value stands; sealed values open at that place only. */
  readonly close: (json: Schema.Json, place: string) => Schema.Json
  /** Throws where the value was changed, moved, or sealed under a key that is not here. */
  readonly open: (stored: Schema.Json, place: string) => Schema.Json
  /** Tells nothing about the value but whether it is {@link matches the same}. */
  readonly fingerprint: (json: Schema.Json) => string
  readonly matches: (json: Schema.Json, fingerprint: string) => boolean
}

const read = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Json))
const isText = Schema.is(Schema.String)
const digest = (json: Schema.Json): string => hash("sha256", JSON.stringify(json))

/** Keeps values as they are, without encryption. */
export const none: Sealing = {
  isSealed: false,
  close: (json) => json,
  open: (stored) => stored,
  fingerprint: digest,
  matches: (json, fingerprint) => digest(json) === fingerprint
}

export const make = (cipher: Cipher): Sealing => ({
  isSealed: true,
  close: (json, place) => Buffer.from(cipher.seal(JSON.stringify(json), place)).toString("base64"),
  open: (stored, place) => {
    if (!isText(stored)) throw new Error("this was not sealed")
    return read(cipher.open(Buffer.from(stored, "base64"), place))
  },
  fingerprint: (json) => cipher.fingerprint(JSON.stringify(json)),
  matches: (json, fingerprint) => cipher.matches(JSON.stringify(json), fingerprint)
})
