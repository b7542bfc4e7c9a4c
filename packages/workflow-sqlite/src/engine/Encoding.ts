/** How payloads, results and causes stand in the database: as JSON, sealed if there is a seal. */
import { hash } from "node:crypto"
import { Exit, Schema } from "effect"
import type { Stored } from "./Records.ts"

/** Makes text unreadable to whoever has only the database. */
export interface Seal {
  /** `bound` names the place of the value; sealed bytes open at that place only. */
  readonly seal: (plain: string, bound: string) => Uint8Array
  /** Throws where the bytes were changed, moved, or sealed under a key that is not here. */
  readonly open: (sealed: Uint8Array, bound: string) => string
  /** Tells nothing about the text but whether it is {@link matches the same}. */
  readonly fingerprint: (plain: string) => string
  /** Also for fingerprints that were made under a former key. */
  readonly matches: (plain: string, fingerprint: string) => boolean
}

type Exits = Schema.Codec<Exit.Exit<Schema.Json, Schema.Json>, Schema.Json>

/** Values are JSON already; what a program died of is anything. */
const ofActivities: Exits = Schema.toCodecJson(Schema.Exit(Schema.Json, Schema.Json, Schema.Defect()))
/** Here also what it died of is JSON already. */
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

export const make = (seal: Seal | undefined): Encoding => {
  const digest = seal ?? openly
  const write = (json: unknown, bound: string): Stored => {
    const text = JSON.stringify(json)
    return seal === undefined ? text : seal.seal(text, bound)
  }
  const read = (stored: Stored, bound: string): unknown => {
    if (typeof stored === "string") return JSON.parse(stored)
    if (seal === undefined) throw new Error("this database is sealed: give the engine the seal it was written with")
    return JSON.parse(seal.open(stored, bound))
  }
  /** Nearly all exits are successes, which take the short way. */
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

/** Without a seal nothing is secret, the fingerprint neither. */
const openly: Pick<Seal, "fingerprint" | "matches"> = {
  fingerprint: (plain) => hash("sha256", plain),
  matches: (plain, fingerprint) => hash("sha256", plain) === fingerprint
}
