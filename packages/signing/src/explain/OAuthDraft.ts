/** The making of an OAuth signature, step by step, so that each step can be done wrong on purpose. */
import type * as crypto from "node:crypto"
import type { Parameter } from "../Form.ts"
import * as PercentEncoding from "../PercentEncoding.ts"
import type { OtherKey } from "./KeyMistakes.ts"
import type { Steps } from "./Mistake.ts"
import type { Writing } from "./Writings.ts"
import * as Writings from "./Writings.ts"

/** The encoded name and the encoded value of a parameter, and where it stands. */
export type Pair = readonly [name: string, value: string, place?: Place]

/** The part of a request with a parameter. `added` is one that is not sent. */
export type Place = "query" | "body" | "header" | "added"

/**
 * The primitive and its hash that make the signature of a text. `hash` has no key but what `input` adds. `rsa-bare` signs a digest
 * without the name of its hash. `rsa-reversed` has its bytes in reverse order. `rsa-foreign` is a signature of another key, whatever
 * its text is.
 */
export type Algorithm =
  | {
      readonly kind:
        | "hmac"
        | "hmac-exchanged"
        | "rsa"
        | "rsa-bare"
        | "rsa-pss"
        | "rsa-reversed"
        | "rsa-foreign"
        | "key-itself"
      readonly hash: string
    }
  | { readonly kind: "hash"; readonly hash: string; readonly input: (text: string, key: string) => string }
  | { readonly kind: "hmac-key"; readonly hash: string; readonly key: string | Buffer }

/** Another public key registered for the merchant. */
export interface OtherPublicKey {
  readonly label: string
  readonly publicKey: crypto.KeyObject
}

/** Another address of the gateway: everything before `/api/`. */
export interface OtherBase {
  readonly label: string
  readonly base: string
}

/** The input of an OAuth signature and its steps, each of which a mistake can replace. */
export interface OAuthDraft extends Steps {
  readonly method: string
  /** The three parts of the address in the signed text: `https:`, the host with its port, and the path. */
  readonly scheme: string
  readonly host: string
  readonly path: string
  readonly address: (scheme: string, host: string, path: string) => string
  /** The parameters by their place and number: `body 0`. `null` for one that is left out. */
  readonly values: Readonly<Record<string, Parameter | null>>
  /** Parameters that are signed and not sent. */
  readonly added: ReadonlyArray<Parameter>
  readonly encode: (text: string) => string
  readonly space: Writing["space"]
  readonly hex: Writing["hex"]
  readonly kept: string
  readonly escaped: string
  readonly arrange: (pairs: ReadonlyArray<Pair>) => ReadonlyArray<Pair>
  /** Joins the encoded parameters. */
  readonly list: (pairs: ReadonlyArray<Pair>) => string
  readonly join: (method: string, address: string, parameters: string) => string
  /** Changes the whole base string. */
  readonly whole: (text: string) => string
  /** Returns the bytes that are signed for a base string. */
  readonly bytes: (text: string) => string | Buffer
  /** The control key. */
  readonly key: string
  /** Returns the key of the HMAC for a control key. */
  readonly secret: (key: string) => string | Buffer
  readonly algorithm: Algorithm
  readonly publicKey: crypto.KeyObject | undefined
  readonly print: (signature: Buffer) => string
  /** The realm of the header, which a step may use by mistake. */
  readonly realm: string | undefined
  /** The address after parsing. */
  readonly url: URL
  /** The address as it was written, before parsing. */
  readonly writtenUrl: string
  readonly otherKeys: ReadonlyArray<OtherKey>
  readonly otherPublicKeys: ReadonlyArray<OtherPublicKey>
  /** The text of files with RSA keys, which may have been the key of an HMAC by mistake. */
  readonly keyFiles: ReadonlyArray<OtherKey>
  readonly otherIds: ReadonlyArray<string>
  readonly otherBases: ReadonlyArray<OtherBase>
  /** The paths of all operations: `/api/v2/sale`. */
  readonly paths: ReadonlyArray<string>
}

/** Compares in byte order, by name and then by value. */
const byName = (left: Pair, right: Pair): number =>
  left[0] < right[0] ? -1 : left[0] > right[0] ? 1 : left[1] < right[1] ? -1 : left[1] > right[1] ? 1 : 0

/** The correct steps (docs/specification.md#oauth). */
export const correct = {
  ...Writings.right,
  address: (scheme, host, path) => `${scheme}//${host}${path}`,
  added: [],
  encode: PercentEncoding.encode,
  arrange: (pairs) => pairs.toSorted(byName),
  list: (pairs) => pairs.map(([name, value]) => `${name}=${value}`).join("&"),
  join: (...parts) => parts.map(PercentEncoding.encode).join("&"),
  whole: (text) => text,
  bytes: (text) => text,
  secret: (key) => `${PercentEncoding.encode(key)}&`,
  print: (signature) => signature.toString("base64")
} satisfies Partial<OAuthDraft>

/** A parameter that is sent, with the name of its step. */
export interface Sent {
  readonly step: string
  readonly place: Place
  readonly name: string
  readonly value: string
}

const places: ReadonlySet<string> = new Set(["query", "body", "header"] satisfies ReadonlyArray<Place>)
const isPlace = (text: string): text is Place => places.has(text)
const placeOf = (step: string): Place => {
  const [place = ""] = step.split(" ", 1)
  return isPlace(place) ? place : "added"
}

/** Returns the parameters that are sent, in their order. */
export const sentOf = ({ values }: Pick<OAuthDraft, "values">): ReadonlyArray<Sent> =>
  Object.entries(values).flatMap(([step, parameter]) =>
    parameter === null ? [] : [{ step, place: placeOf(step), name: parameter[0], value: parameter[1] }]
  )

/** Makes the steps of parameters that are sent. */
export const valuesOf = (place: Place, parameters: ReadonlyArray<Parameter>): OAuthDraft["values"] =>
  Object.fromEntries(parameters.map((parameter, index) => [`${place} ${index}`, parameter]))

/** The value of a parameter of the header. */
export const headerValue = (draft: OAuthDraft, name: string): string =>
  sentOf(draft).find((sent) => sent.place === "header" && sent.name === name)?.value ?? ""

/** The texts that were encoded, by the way of encoding. A search encodes the same texts thousands of times. */
const encodings = new WeakMap<OAuthDraft["encode"], Map<string, Map<string, string>>>()

const encoderOf = ({ encode, escaped, hex, kept, space }: OAuthDraft): ((text: string) => string) => {
  const ways = encodings.get(encode) ?? new Map<string, Map<string, string>>()
  encodings.set(encode, ways)
  const way = `${space} ${hex} ${escaped} ${kept}`
  const texts = ways.get(way) ?? new Map<string, string>()
  ways.set(way, texts)
  const write = Writings.writer(encode, { escaped, hex, kept, space })
  return (text) => {
    const last = texts.get(text)
    if (last !== undefined) return last
    const written = write(text)
    texts.set(text, written)
    return written
  }
}

type ListSteps = Pick<OAuthDraft, "added" | "arrange" | "encode" | "escaped" | "hex" | "kept" | "list" | "space">

/** The last list of parameters for each set of values. Most drafts of a search differ in other steps. */
const lists = new WeakMap<OAuthDraft["values"], { readonly steps: ListSteps; readonly text: string }>()

const isSame = (one: ListSteps, other: ListSteps): boolean =>
  one.added === other.added &&
  one.arrange === other.arrange &&
  one.encode === other.encode &&
  one.escaped === other.escaped &&
  one.hex === other.hex &&
  one.kept === other.kept &&
  one.list === other.list &&
  one.space === other.space

const parametersOf = (draft: OAuthDraft): string => {
  const last = lists.get(draft.values)
  if (last !== undefined && isSame(last.steps, draft)) return last.text
  const encode = encoderOf(draft)
  const sent = sentOf(draft).map(({ name, place, value }): Pair => [encode(name), encode(value), place])
  const added = draft.added.map(([name, value]): Pair => [encode(name), encode(value), "added"])
  const text = draft.list(draft.arrange([...sent, ...added]))
  lists.set(draft.values, { steps: draft, text })
  return text
}

/** Returns the address in the signed text. */
export const addressOf = ({ address, host, path, scheme }: OAuthDraft): string => address(scheme, host, path)

/** Returns the base string by the steps of the draft. */
export const text = (draft: OAuthDraft): string =>
  draft.whole(draft.join(draft.method, addressOf(draft), parametersOf(draft)))
