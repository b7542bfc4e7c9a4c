/**
 * Signing prepared for one operation at one address. Names are sorted once, and all constant parts (address, consumer key,
 * method, version, query) are encoded once. Results equal those of `Signing`, several times faster.
 */
import * as BaseString from "../BaseString.ts"
import type { Parameter } from "../Form.ts"
import * as OAuthHeader from "../OAuthHeader.ts"
import * as PercentEncoding from "../PercentEncoding.ts"
import * as BaseStringBytes from "./BaseStringBytes.ts"
import * as Key from "./Key.ts"
import { baseString, isProtocolName, protocolParameters } from "./Signing.ts"

/** The constant parts of the requests that are prepared together. */
export interface Operation {
  readonly method: string
  readonly url: string
  readonly consumerKey: string
  readonly key: Key.SigningKey
  /** The names of all fields that a body may have, in the order of the body. A request may leave some out. */
  readonly names: ReadonlyArray<string>
}

/** Signs the requests of one operation. */
export interface Compiled {
  readonly ok: true
  /**
   * Returns the value of the `Authorization` header. Fields other than `names`, or in another order, are signed by a slower path.
   */
  readonly authorize: (parameters: ReadonlyArray<Parameter>, timestampSeconds: number, nonce: string) => string
  /** {@link authorize} with RSA on the thread pool. */
  readonly authorizeOnPool: (
    parameters: ReadonlyArray<Parameter>,
    timestampSeconds: number,
    nonce: string
  ) => Promise<string>
}

/**
 * Prepares signing for an operation. Fails if the address is malformed.
 *
 * @example
 * const operation = compile({ method: "POST", url, consumerKey: login, key: hmac(controlKey), names: ["amount"] })
 * if (operation.ok) headers.authorization = operation.authorize([["amount", "10.42"]], timestampSeconds, nonce)
 */
export const compile = (
  operation: Operation
): Compiled | { readonly ok: false; readonly reason: { readonly _tag: "MalformedUrl" } } => {
  const target = BaseString.target(operation.url)
  if (target === undefined) return { ok: false, reason: { _tag: "MalformedUrl" } }
  const { method, consumerKey, key } = operation
  const write = writer(operation, target)

  const bytes = (parameters: ReadonlyArray<Parameter>, timestampSeconds: number, nonce: string): Uint8Array =>
    write?.(parameters, String(timestampSeconds), nonce) ??
    baseString({ method, parameters }, target, protocolParameters({ consumerKey, timestampSeconds, nonce }, key.method))

  const beforeNonce = `${OAuthHeader.write([["oauth_consumer_key", consumerKey]])}, oauth_nonce="`
  const beforeTimestamp = `", oauth_signature_method="${key.method}", oauth_timestamp="`
  const beforeSignature = `", oauth_version="1.0", oauth_signature="`
  const header = (timestampSeconds: number, nonce: string, signature: string): string =>
    `${beforeNonce}${PercentEncoding.encode(nonce)}${beforeTimestamp}${timestampSeconds}${beforeSignature}${PercentEncoding.encode(signature)}"`

  return {
    ok: true,
    authorize: (parameters, timestampSeconds, nonce) =>
      header(timestampSeconds, nonce, Key.sign(key, bytes(parameters, timestampSeconds, nonce))),
    authorizeOnPool: async (parameters, timestampSeconds, nonce) =>
      header(timestampSeconds, nonce, await Key.signOnPool(key, bytes(parameters, timestampSeconds, nonce)))
  }
}

type Write = (parameters: ReadonlyArray<Parameter>, timestamp: string, nonce: string) => Uint8Array | undefined

/** A piece of the parameter string: constant bytes, then the value of a slot. A piece that is constant has the empty slot. */
interface Piece {
  readonly lead: BaseStringBytes.Ascii
  readonly slot: number
}

/**
 * Prepares the base string. `undefined` if a name is repeated or belongs to the header: the signed parameters then depend on the
 * request.
 */
const writer = ({ method, consumerKey, key, names }: Operation, target: BaseString.Target): Write | undefined => {
  const fields = [...names, ...target.query.map(([name]) => name)].map(PercentEncoding.encode)
  if (new Set(fields).size < fields.length || fields.some(isProtocolName)) return undefined

  const slots = { nonce: names.length, timestamp: names.length + 1, empty: names.length + 2 }
  const pieces: ReadonlyArray<Piece> = [
    ...names.map((name, slot) => ({ name, value: "", slot })),
    ...target.query.map(([name, value]) => ({ name, value, slot: slots.empty })),
    { name: "oauth_consumer_key", value: consumerKey, slot: slots.empty },
    { name: "oauth_nonce", value: "", slot: slots.nonce },
    { name: "oauth_signature_method", value: key.method, slot: slots.empty },
    { name: "oauth_timestamp", value: "", slot: slots.timestamp },
    { name: "oauth_version", value: "1.0", slot: slots.empty }
  ]
    .map(({ name, value, slot }) => ({
      name: PercentEncoding.encode(name),
      value: PercentEncoding.encode(value),
      slot
    }))
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .map(({ name, value, slot }) => ({
      lead: BaseStringBytes.ascii(PercentEncoding.encode(`&${name}=${value}`)),
      slot
    }))

  const lead = BaseStringBytes.lead(method, target.baseUri)
  // Every piece begins with an encoded `&`. The lead is written last and overwrites the `&` of the first piece.
  const start = BaseStringBytes.START + lead.length - "%26".length
  const values: Array<string | undefined> = Array.from({ length: names.length + 3 }, () => "")

  return (parameters, timestamp, nonce) => {
    if (!place(parameters, names, values)) return undefined
    values[slots.nonce] = nonce
    values[slots.timestamp] = timestamp
    let at = start
    for (const piece of pieces) {
      const value = values[piece.slot]
      if (value !== undefined) at = BaseStringBytes.putTwice(value, BaseStringBytes.putAscii(piece.lead, at))
    }
    BaseStringBytes.putStart(lead)
    return at === BaseStringBytes.UNFIT ? undefined : BaseStringBytes.view(at)
  }
}

/** Puts each value into the slot of its name. Returns false if a field is unknown, repeated, or not in the order of `names`. */
const place = (
  parameters: ReadonlyArray<Parameter>,
  names: ReadonlyArray<string>,
  values: Array<string | undefined>
): boolean => {
  let slot = 0
  for (const parameter of parameters) {
    while (slot < names.length && names[slot] !== parameter[0]) values[slot++] = undefined
    if (slot === names.length) return false
    values[slot++] = parameter[1]
  }
  while (slot < names.length) values[slot++] = undefined
  return true
}
