/** Mistakes with an OAuth request apart from its signature: a header that cannot be read, its time, and its sender. */
import type * as OAuth from "../OAuth.ts"
import * as OAuthHeader from "../OAuthHeader.ts"
import type { NamedMistake } from "./Mistake.ts"

type Described = Omit<NamedMistake, "detail">

const headers: Readonly<Record<OAuthHeader.Problem, Described>> = {
  scheme: {
    id: "header-scheme",
    description: "The Authorization header does not begin with OAuth and a blank.",
    remedy: "Begin the header with OAuth and a blank, before its first parameter."
  },
  pair: {
    id: "header-quotes",
    description: "A parameter of the Authorization header is not written as a name and a value in double quotes.",
    remedy: 'Write every parameter as name="value", with double quotes.'
  },
  comma: {
    id: "header-comma",
    description: "The parameters of the Authorization header are not separated by commas.",
    remedy: "Put a comma between the parameters; a blank after it is optional."
  },
  escape: {
    id: "header-encoding",
    description: "A value of the Authorization header is not valid percent-encoding.",
    remedy: "Percent-encode each value once before it is put into the header."
  },
  twice: {
    id: "header-twice",
    description: "A parameter is given twice in the Authorization header.",
    remedy: "Give every parameter once."
  },
  many: {
    id: "header-long",
    description: "The Authorization header has too many parameters.",
    remedy: "Put only realm and the oauth_ parameters into the header; the fields belong in the body."
  }
}

const timestamps = {
  form: {
    id: "timestamp-form",
    description: "oauth_timestamp is not a whole number of seconds.",
    remedy: "Send the seconds since 1970 as digits alone: 1700000000."
  },
  milliseconds: {
    id: "timestamp-milliseconds",
    description: "oauth_timestamp is in milliseconds or a smaller unit.",
    remedy: "Send whole seconds since 1970: divide milliseconds by 1000 and cut the rest."
  },
  stale: {
    id: "timestamp-stale",
    description: "oauth_timestamp is too far in the past.",
    remedy:
      "Sign each request when you send it, and set the clock. If it was sent at that time, --at SECONDS judges it then."
  },
  early: {
    id: "timestamp-early",
    description: "oauth_timestamp is too far in the future.",
    remedy: "Set the clock of the machine that signs, and send UTC: local time is not the seconds since 1970."
  }
}

/** Seconds of a timestamp from which it can only be in a smaller unit. As seconds, it would be in the year 5138. */
const FIRST_MILLISECONDS = 100_000_000_000

/** A year in which no request is sent, in digits of microseconds and nanoseconds. */
const smallUnits = /^\d{16,19}$/

const others = {
  missing: {
    id: "header-missing",
    description: "The request has no Authorization header.",
    remedy: "Send the oauth_ parameters and the signature in the header Authorization: OAuth …"
  },
  absent: {
    id: "parameter-absent",
    description: "A required parameter is missing or empty in the Authorization header.",
    remedy:
      "Send oauth_consumer_key, oauth_nonce, oauth_signature, oauth_signature_method, oauth_timestamp and oauth_version."
  },
  nonce: {
    id: "nonce-long",
    description: "oauth_nonce is too long.",
    remedy: "Send a random text of at most 128 characters."
  },
  conflict: {
    id: "parameter-conflict",
    description: "An oauth_ parameter stands in the body or query, and is not the same in the header.",
    remedy: "Send the oauth_ parameters in the header only, or with the very same values."
  },
  unsupported: {
    id: "method-unsupported",
    description: "The oauth_signature_method is not one of the protocol.",
    remedy: "Send HMAC-SHA1 or RSA-SHA256, in capitals."
  },
  version: {
    id: "version-other",
    description: "The oauth_version is not 1.0.",
    remedy: "Send oauth_version=1.0."
  },
  address: {
    id: "address-malformed",
    description: "The address of the request is malformed.",
    remedy: "Call an absolute address without blanks and control characters."
  },
  method: {
    id: "method-not-taken",
    description: "The request is signed with a method that this operation does not take.",
    remedy: "Look up the method of the operation, and sign with its key."
  },
  consumer: {
    id: "consumer-other",
    description: "oauth_consumer_key is not the login of the settings (--login or PAY_LOGIN).",
    remedy: "Send the login that belongs to this key as oauth_consumer_key."
  }
} satisfies Readonly<Record<string, Described>>

/** All of them, for the catalogue. */
export const refusals: ReadonlyArray<Described> = [
  ...Object.values(headers),
  ...Object.values(timestamps),
  ...Object.values(others)
]

const headerValue = (header: string | undefined, name: string): string => {
  const parsed = OAuthHeader.parse(header ?? "")
  return (parsed.ok ? parsed.parameters.find(([other]) => other === name)?.[1] : undefined) ?? ""
}

/** Why a request has no signature that can be explained. */
export type Unreadable = OAuth.Unread | Extract<OAuth.Reason, { readonly _tag: "WrongMethod" }>

/** Names the reason for which a request cannot be read. `authorization` is its header. */
export const ofReason = (reason: Unreadable, authorization: string | undefined): NamedMistake => {
  switch (reason._tag) {
    case "MissingHeader":
      return { ...others.missing, detail: "there is none" }
    case "MalformedHeader":
      return { ...headers[reason.problem], detail: reason.detail }
    case "MissingParameter":
      return { ...others.absent, detail: `${reason.name} is missing` }
    case "MalformedParameter": {
      if (reason.name === "oauth_nonce") return { ...others.nonce, detail: "more than 128 characters" }
      const isSmall = smallUnits.test(headerValue(authorization, reason.name))
      const described = isSmall ? timestamps.milliseconds : timestamps.form
      return { ...described, detail: `${reason.name} is malformed` }
    }
    case "ConflictingParameter":
      return { ...others.conflict, detail: `${reason.name} has two values` }
    case "UnsupportedMethod":
      return { ...others.unsupported, detail: "neither HMAC-SHA1 nor RSA-SHA256" }
    case "UnsupportedVersion":
      return { ...others.version, detail: "another version" }
    case "MalformedUrl":
      return { ...others.address, detail: "not an absolute http or https address" }
    case "WrongMethod":
      return { ...others.method, detail: `${reason.received}, where ${reason.expected} is taken` }
  }
}

const ofAge = (ageSeconds: number): NamedMistake =>
  ageSeconds > 0
    ? { ...timestamps.stale, detail: `${ageSeconds} s in the past` }
    : { ...timestamps.early, detail: `${-ageSeconds} s in the future` }

/** The time at which a request is judged, and the login of the settings. */
export interface Circumstances {
  readonly nowSeconds?: number
  readonly toleranceSeconds?: number
  readonly login?: string
}

/** Returns the mistakes of a request that count whether its signature is right or not. */
export const certain = (
  { consumerKey, timestampSeconds }: OAuth.Claim,
  { login }: Circumstances
): ReadonlyArray<NamedMistake> => [
  ...(timestampSeconds >= FIRST_MILLISECONDS
    ? [{ ...timestamps.milliseconds, detail: `${String(timestampSeconds).length} digits` }]
    : []),
  ...(login !== undefined && login !== consumerKey ? [{ ...others.consumer, detail: "another login" }] : [])
]

/** Returns the mistake with the time of a request. It counts only if the request was sent at the time at which it is judged. */
export const ofTime = (
  { timestampSeconds }: OAuth.Claim,
  { nowSeconds, toleranceSeconds = 300 }: Circumstances
): ReadonlyArray<NamedMistake> => {
  if (nowSeconds === undefined || timestampSeconds >= FIRST_MILLISECONDS) return []
  const ageSeconds = nowSeconds - timestampSeconds
  return Math.abs(ageSeconds) > toleranceSeconds ? [ofAge(ageSeconds)] : []
}
