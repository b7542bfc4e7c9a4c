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
import { amountsOf } from "./ControlAmountMistakes.ts"
import * as ControlDraft from "./ControlDraft.ts"
import { controlMistakes } from "./ControlMistakes.ts"
import { otherValues } from "./ControlPartMistakes.ts"
import * as Facts from "./Facts.ts"
import type { OtherKey } from "./KeyMistakes.ts"
import type { Explanation, Finding } from "./Mistake.ts"
import * as OAuthCheck from "./OAuthCheck.ts"
import * as OAuthDraft from "./OAuthDraft.ts"
import { oauthMistakes } from "./OAuthMistakes.ts"
import * as OAuthRefusals from "./OAuthRefusals.ts"
import { search } from "./Search.ts"
import * as Unprinted from "./Unprinted.ts"

export type { OtherKey } from "./KeyMistakes.ts"
export type { Explanation, Finding, NamedMistake } from "./Mistake.ts"
export type { OtherBase } from "./OAuthDraft.ts"

/** An entry of the catalogue, for documentation. */
export interface CatalogueEntry {
  readonly scheme: "control" | "oauth"
  readonly id: string
  readonly description: string
  readonly remedy: string
}

/** All mistakes that are tried. */
export const catalogue: ReadonlyArray<CatalogueEntry> = [
  ...[...controlMistakes, Unprinted.unprinted].map(({ id, description, remedy }) => ({
    scheme: "control" as const,
    id,
    description,
    remedy
  })),
  ...[...oauthMistakes, Unprinted.unprinted, ...OAuthRefusals.refusals].map(({ id, description, remedy }) => ({
    scheme: "oauth" as const,
    id,
    description,
    remedy
  }))
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
  /** Further values that are right, too, such as values with the blanks with which they were sent. */
  readonly accepted?: Control.Values
  /** The body as it was sent, without `control`. It may have been signed by mistake. */
  readonly body?: string
}

/** Numbers of pairs of mistakes that are tried in about a second. A text that OAuth signs is longer, and takes more time. */
const MOST_PAIRS_OF_CONTROL = 800_000
const MOST_PAIRS_OF_OAUTH = 90_000

const withoutAbsent = (fields: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])))

/** Explains the `control` of a request. */
export const control = (question: ControlQuestion): Explanation => {
  const { accepted, body, key, keyMask, otherIds = [], otherKeys = [], readings = [], recipe, values } = question
  const received = ControlDraft.fold(question.received)
  const fields = { ...values, ...question.fields }
  const textsOf = (all: Control.Values) => ({
    ...withoutAbsent(fields),
    ...otherValues(fields),
    ...Object.fromEntries(recipe.map((slot) => [slot, all[slot] ?? ""])),
    [ControlDraft.KEY]: key
  })
  const draft: ControlDraft.ControlDraft = {
    ...ControlDraft.correct,
    values: textsOf(values),
    slots: [...recipe, ControlDraft.KEY],
    recipe,
    fields,
    body,
    amounts: amountsOf({ ...fields, ...values }, fields.amount),
    otherIds,
    otherKeys,
    readings
  }
  const reproduces = ControlDraft.comparing(received)
  if (accepted !== undefined && reproduces({ ...draft, values: textsOf(accepted) })) return { _tag: "Correct" }
  const unprinted = Unprinted.of(question.received)
  if (unprinted !== undefined) return { _tag: "Explained", findings: [{ mistakes: [unprinted] }] }
  const explanation = search(draft, controlMistakes, {
    reproduces,
    ending: ControlDraft.ending(received.length),
    // Nothing that was printed is empty.
    mostPairs: received === "" ? 0 : MOST_PAIRS_OF_CONTROL,
    textOf: keyMask === undefined ? undefined : (candidate) => ControlDraft.masked(candidate, key, keyMask)
  })
  return explanation._tag === "Unexplained" ? { ...explanation, facts: Facts.ofControl(received) } : explanation
}

/** A received OAuth request, and what is needed to explain its signature. */
export interface OAuthQuestion extends OAuthRefusals.Circumstances {
  readonly request: Omit<OAuth.Received, "url"> & { readonly url: string }
  /** The signature method that the operation requires. */
  readonly expected: OAuth.Method
  readonly controlKey?: string
  readonly publicKey?: KeyObject
  readonly otherIds?: ReadonlyArray<string>
  readonly otherKeys?: ReadonlyArray<OtherKey>
  readonly otherPublicKeys?: ReadonlyArray<OAuthDraft.OtherPublicKey>
  /** The texts of files with RSA keys, which may have been the key of an HMAC by mistake. */
  readonly keyFiles?: ReadonlyArray<OtherKey>
  /** Other addresses of gateways, which may have been signed by mistake. */
  readonly otherBases?: ReadonlyArray<OAuthDraft.OtherBase>
  /** The paths of all operations: `/api/v2/sale`. One of them may have been signed by mistake. */
  readonly paths?: ReadonlyArray<string>
  /** If true, the explanation contains the signed texts, which include values of fields and no key. */
  readonly withTexts?: boolean
}

/** The explanation of an OAuth signature. `Unreadable` means that the request has no signature that could be explained. */
export type OAuthExplanation = Explanation | Unreadable

interface Unreadable {
  readonly _tag: "Unreadable"
  readonly reason: OAuthRefusals.Unreadable
  readonly findings: ReadonlyArray<Finding>
}

const unreadable = (reason: OAuthRefusals.Unreadable, authorization: string | undefined): Unreadable => ({
  _tag: "Unreadable",
  reason,
  findings: [{ mistakes: [OAuthRefusals.ofReason(reason, authorization)] }]
})

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
  if (!parsed.ok) return unreadable(parsed.reason, request.authorization)
  const { signatureMethod } = parsed.claim
  if (signatureMethod !== expected)
    return unreadable({ _tag: "WrongMethod", expected, received: signatureMethod }, request.authorization)
  const { signed, signature, realm } = parsed.claim
  const query = (BaseString.target(request.url)?.query ?? []).filter(([name]) => !isProtocolName(name))
  const body = request.parameters.filter(([name]) => !isProtocolName(name))
  const header = signed.parameters.slice(query.length + body.length)

  const address = new URL(request.url)
  const draft: OAuthDraft.OAuthDraft = {
    ...OAuthDraft.correct,
    method: signed.method.toUpperCase(),
    scheme: address.protocol,
    host: address.host,
    path: signed.baseUri.slice(address.origin.length),
    values: {
      ...OAuthDraft.valuesOf("query", query),
      ...OAuthDraft.valuesOf("body", body),
      ...OAuthDraft.valuesOf(
        "header",
        header.filter(([name]) => name !== "oauth_signature")
      )
    },
    realm,
    algorithm: expected === "HMAC-SHA1" ? { kind: "hmac", hash: "sha1" } : { kind: "rsa", hash: "sha256" },
    key: controlKey,
    publicKey,
    url: address,
    writtenUrl: request.url,
    otherIds,
    otherKeys,
    otherPublicKeys,
    keyFiles: question.keyFiles ?? [],
    otherBases: question.otherBases ?? [],
    paths: question.paths ?? []
  }
  const unprinted = Unprinted.of(signature)
  if (unprinted !== undefined)
    return withCircumstances({ _tag: "Explained", findings: [{ mistakes: [unprinted] }] }, parsed.claim, question)
  const explanation = search(draft, oauthMistakes, {
    reproduces: (candidate) => OAuthCheck.reproduces(candidate, signature),
    ending: OAuthCheck.ending(signature),
    mostPairs: MOST_PAIRS_OF_OAUTH,
    textOf: question.withTexts === true ? OAuthDraft.text : undefined
  })
  return withCircumstances(explanation, parsed.claim, question)
}

/** Adds what is wrong with a request beside its signature. */
const withCircumstances = (explanation: Explanation, claim: OAuth.Claim, question: OAuthQuestion): Explanation => {
  const certain = OAuthRefusals.certain(claim, question)
  const ofTime = OAuthRefusals.ofTime(claim, question)
  switch (explanation._tag) {
    case "Correct": {
      const mistakes = [...certain, ...ofTime]
      return mistakes.length === 0 ? explanation : { _tag: "Explained", findings: [{ mistakes }] }
    }
    case "Explained": {
      const findings = explanation.findings.map((each) => ({ ...each, mistakes: [...each.mistakes, ...certain] }))
      return { ...explanation, findings }
    }
    case "Unexplained": {
      const beside = [...certain, ...ofTime].map(({ description, detail }) => `${description} (${detail})`)
      const facts = Facts.ofOAuth(claim.signature, question.expected, question.publicKey)
      return { ...explanation, facts: [...facts, ...beside] }
    }
  }
}
