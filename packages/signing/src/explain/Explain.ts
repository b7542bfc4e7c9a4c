/**
 * Explains why a signature does not match: tries mistakes of integrators and names the one that gives exactly the received value.
 * It is meant for the merchant's own terminal and the gateway's support, where the key is available anyway. The explanation never
 * contains the key, and contains values of fields only if the question requests texts.
 */
import type { KeyObject } from "node:crypto"
import * as BaseString from "../BaseString.ts"
import type * as Control from "../Control.ts"
import * as OAuth from "../OAuth.ts"
import { isProtocolName } from "../oauth/Signing.ts"
import * as ControlDraft from "./ControlDraft.ts"
import { controlMistakes } from "./ControlMistakes.ts"
import type { OtherKey } from "./KeyMistakes.ts"
import { type Explanation, search } from "./Mistake.ts"
import * as OAuthDraft from "./OAuthDraft.ts"
import { oauthMistakes } from "./OAuthMistakes.ts"

export type { OtherKey } from "./KeyMistakes.ts"
export type { Explanation, Finding } from "./Mistake.ts"

/** An entry of the catalogue, for documentation. */
export interface CatalogueEntry {
  readonly scheme: "control" | "oauth"
  readonly id: string
  readonly description: string
  readonly remedy: string
}

/** All mistakes that are tried. */
export const catalogue: ReadonlyArray<CatalogueEntry> = [
  ...controlMistakes.map(({ id, description, remedy }) => ({ scheme: "control" as const, id, description, remedy })),
  ...oauthMistakes.map(({ id, description, remedy }) => ({ scheme: "oauth" as const, id, description, remedy }))
]

/** A received control, and what is needed to explain it. */
export interface ControlQuestion {
  readonly recipe: Control.Recipe
  /** The values that were signed. The amount is in minor units, as for `Control.sign`. */
  readonly values: Control.Values
  readonly key: string
  readonly received: string
  /** The request's fields as sent, with `login` and `endpointId`. One of them may have been signed by mistake. */
  readonly fields?: Readonly<Record<string, string | undefined>>
  /** Other endpoint and group ids of the merchant. */
  readonly otherIds?: ReadonlyArray<string>
  /** Other control keys of the merchant, or those of a sandbox. */
  readonly otherKeys?: ReadonlyArray<OtherKey>
  /** If set, the explanation contains the signed texts, which include values of fields. This text replaces the key in them. */
  readonly keyMask?: string
  /** Values that may have been signed if a field breaks a rule. `@pay/schema/ControlReadings` computes them. */
  readonly readings?: ReadonlyArray<ControlDraft.Reading>
}

/** Explains the `control` of a request. */
export const control = (question: ControlQuestion): Explanation => {
  const { recipe, values, key, fields, otherIds = [], otherKeys = [], readings = [] } = question
  const received = fold(question.received)
  const parts = recipe.map((slot) => ({ slot, value: values[slot] ?? "" }))
  const draft = { ...ControlDraft.correct, parts, key, fields: { ...values, ...fields }, otherIds, otherKeys, readings }
  const { keyMask } = question
  return search(
    draft,
    controlMistakes,
    (candidate) => fold(ControlDraft.render(candidate)) === received,
    keyMask === undefined ? undefined : (candidate) => ControlDraft.masked(candidate, key, keyMask)
  )
}

/** A received OAuth request, and what is needed to explain its signature. */
export interface OAuthQuestion {
  readonly request: Omit<OAuth.Received, "url"> & { readonly url: string }
  /** The signature method that the operation requires. */
  readonly expected: OAuth.Method
  readonly controlKey?: string
  readonly publicKey?: KeyObject
  readonly otherIds?: ReadonlyArray<string>
  readonly otherKeys?: ReadonlyArray<OtherKey>
  readonly otherPublicKeys?: ReadonlyArray<OAuthDraft.OtherPublicKey>
  /** If true, the explanation contains the signed texts, which include values of fields and no key. */
  readonly withTexts?: boolean
}

/** The explanation of an OAuth signature. `Unreadable` means that the request has no signature that could be explained. */
export type OAuthExplanation = Explanation | { readonly _tag: "Unreadable"; readonly reason: OAuth.Reason }

/** Explains the signature of an OAuth request. */
export const oauth = (question: OAuthQuestion): OAuthExplanation => {
  const {
    request,
    expected,
    controlKey = "",
    publicKey,
    otherIds = [],
    otherKeys = [],
    otherPublicKeys = []
  } = question
  const parsed = OAuth.parse(request)
  if (!parsed.ok) return { _tag: "Unreadable", reason: parsed.reason }
  const { signed, signature, realm } = parsed.claim
  const query = (BaseString.target(request.url)?.query ?? []).filter(([name]) => !isProtocolName(name))
  const body = request.parameters.filter(([name]) => !isProtocolName(name))
  const header = signed.parameters.slice(query.length + body.length)

  const draft: OAuthDraft.OAuthDraft = {
    ...OAuthDraft.correct,
    method: signed.method.toUpperCase(),
    address: signed.baseUri,
    query,
    body,
    protocol: header.filter(([name]) => name !== "oauth_signature"),
    realm,
    algorithm: expected === "HMAC-SHA1" ? { kind: "hmac", hash: "sha1" } : { kind: "rsa", hash: "sha256" },
    key: controlKey,
    publicKey,
    url: new URL(request.url),
    writtenUrl: request.url,
    otherIds,
    otherKeys,
    otherPublicKeys
  }
  return search(
    draft,
    oauthMistakes,
    (candidate) => OAuthDraft.reproduces(candidate, signature),
    question.withTexts === true ? OAuthDraft.text : undefined
  )
}

/** Puts hex digits in lower case, because their case does not matter. Other text, such as Base64, stays as it is. */
const fold = (text: string): string => (/^[0-9a-f]*$/i.test(text) ? text.toLowerCase() : text)
