/** The stored form of payloads, results and causes in the database: JSON, encrypted if there is a `Cipher`. */
import "../OldNode.ts"
import * as crypto from "node:crypto"
import { Exit, Schema } from "effect"
import type { Stored } from "./Records.ts"

/** Encrypts text, so that it cannot be read from the database alone. */
export interface Cipher {
  /** Encrypts text. `bound` names the place of the value; the bytes can be decrypted only for this place. */
  readonly encrypt: (plain: string, bound: string) => Uint8Array
  /** Decrypts bytes. Throws if they were changed or moved, or encrypted under a key that is not available. */
  readonly decrypt: (encrypted: Uint8Array, bound: string) => string
  /** Returns a fingerprint that discloses nothing about the text except whether it {@link matches} another text. */
  readonly fingerprint: (plain: string) => string
  /** Whether the fingerprint is that of the text, also if it was made under an earlier key. */
  readonly matches: (plain: string, fingerprint: string) => boolean
}

type Exits = Schema.Codec<Exit.Exit<Schema.Json, Schema.Json>, Schema.Json>

/** Results and errors of activities are JSON values already; a defect can be any value. */
const ofActivities: Exits = Schema.toCodecJson(Schema.Exit(Schema.Json, Schema.Json, Schema.Defect()))
/** Results, errors and defects of deferreds are JSON values already. */
const ofDeferreds: Exits = Schema.toCodecJson(Schema.Exit(Schema.Json, Schema.Json, Schema.Json))

export interface ExitEncoding {
  readonly write: (exit: Exit.Exit<unknown, unknown>, bound: string) => Stored
  readonly read: (stored: Stored, bound: string) => Exit.Exit<unknown, unknown>
}

export interface Encoding {
  readonly write: (json: unknown, bound: string) => Stored
  readonly read: (stored: Stored, bound: string) => unknown
  readonly activity: ExitEncoding
  readonly deferred: ExitEncoding
  readonly fingerprint: (json: unknown) => string
  readonly matches: (json: unknown, fingerprint: string) => boolean
}

export const make = (cipher: Cipher | undefined): Encoding => {
  const digest = cipher ?? withoutCipher
  const write = (json: unknown, bound: string): Stored => {
    const text = JSON.stringify(json)
    return cipher === undefined ? text : cipher.encrypt(text, bound)
  }
  const read = (stored: Stored, bound: string): unknown => {
    if (typeof stored === "string") return JSON.parse(stored)
    if (cipher === undefined)
      throw new Error("this database is encrypted: give the engine the cipher with which it was written")
    return JSON.parse(cipher.decrypt(stored, bound))
  }
  /** Encodes exits. A success, which is by far the most common exit, has a short form without a schema. */
  const exits = (codec: Exits): ExitEncoding => {
    const encode = Schema.encodeUnknownSync(codec)
    const decode = Schema.decodeUnknownSync(codec)
    return {
      write: (exit, bound) => write(Exit.isSuccess(exit) ? { ok: exit.value ?? null } : { exit: encode(exit) }, bound),
      read: (stored, bound) => {
        const json = read(stored, bound)
        if (typeof json !== "object" || json === null) throw new TypeError("no exit stands here")
        return "ok" in json ? Exit.succeed(json.ok) : decode("exit" in json ? json.exit : undefined)
      }
    }
  }
  return {
    write,
    read,
    activity: exits(ofActivities),
    deferred: exits(ofDeferreds),
    fingerprint: (json) => digest.fingerprint(JSON.stringify(json)),
    matches: (json, fingerprint) => digest.matches(JSON.stringify(json), fingerprint)
  }
}

/** Used without a `Cipher`: nothing is secret then, including the fingerprint. */
const withoutCipher: Pick<Cipher, "fingerprint" | "matches"> = {
  fingerprint: (plain) => crypto.hash("sha256", plain),
  matches: (plain, fingerprint) => crypto.hash("sha256", plain) === fingerprint
}
