/**
 * Capabilities of a gateway that the specification does not promise. Code that relies on one of them checks the profile first.
 * The default is {@link specification}, which promises none.
 *
 * A gateway announces its profile in the header {@link header} of every answer, as a list of words: `idempotency-key,
 * by-request-sn, not-found=54`. Operators write the same text in a setting.
 */
import { codes } from "./ErrorCode.ts"

/** What one gateway does beyond the specification, and how its endpoints are addressed. */
export interface GatewayProfile {
  /** Two requests under one `Idempotency-Key` have one effect. */
  readonly honoursIdempotencyKey: boolean
  /** A repeated creation with the same `client_orderid` and content is answered with the existing order. */
  readonly replaysClientOrderId: boolean
  /** `status` with `by-request-sn` reports on that one request, with the amount of that request. */
  readonly answersByRequest: boolean
  /**
   * `status` reports an accepted capture, void or return at once: as `processing`, or as done with the amounts that have moved. A
   * request that `status` does not report after a waiting period was therefore never accepted.
   */
  readonly showsFollowUps: boolean
  /** `status` returns the `order-stage` of a payout that was checked and waits to be paid. */
  readonly showsOrderStage: boolean
  /** The body of every refusal has a `type`. A refusal without `type` does not come from the gateway. */
  readonly typesErrors: boolean
  /** Identifiers may be JSON numbers with more digits than a JavaScript number can store. */
  readonly numericIdentifiers: boolean
  /** Error codes or messages of a refused `status` that mean that the order does not exist. */
  readonly notFound: ReadonlyArray<number | string>
  /** Whether an endpoint group is addressed as `/group/{id}`. If not, its path contains only its id, as in the specification. */
  readonly groupPath: boolean
  /** The path between the base address and `/api/`, such as `/paynet`; empty if there is none. */
  readonly pathPrefix: string
}

/** The profile of a gateway that does only what the specification promises. */
export const specification: GatewayProfile = {
  honoursIdempotencyKey: false,
  replaysClientOrderId: false,
  answersByRequest: false,
  showsFollowUps: false,
  showsOrderStage: false,
  typesErrors: false,
  numericIdentifiers: true,
  notFound: [],
  groupPath: false,
  pathPrefix: ""
}

/** The profile of the gateway of this project. */
export const ours: GatewayProfile = {
  honoursIdempotencyKey: true,
  replaysClientOrderId: true,
  answersByRequest: true,
  showsFollowUps: true,
  showsOrderStage: true,
  typesErrors: true,
  numericIdentifiers: false,
  notFound: [codes.orderNotFound.code],
  groupPath: false,
  pathPrefix: ""
}

/** The header of an answer that announces the profile. */
export const header = "pay-gateway-profile"

/** The words of the header, each with the capability that it announces. */
const words: Readonly<Record<string, Partial<GatewayProfile>>> = {
  "idempotency-key": { honoursIdempotencyKey: true },
  "client-orderid-replay": { replaysClientOrderId: true },
  "by-request-sn": { answersByRequest: true },
  "follow-ups-in-status": { showsFollowUps: true },
  "order-stage": { showsOrderStage: true },
  "typed-errors": { typesErrors: true },
  "text-identifiers": { numericIdentifiers: false },
  "group-path": { groupPath: true }
}

const item = /^(?<name>[a-z-]+)(?:=(?:"(?<quoted>[^"]*)"|(?<plain>[^\s",]+)))?$/

/** Parses the text of a profile. `unknown` lists the words that have no meaning. */
export const parse = (
  text: string
): { readonly profile: Partial<GatewayProfile>; readonly unknown: ReadonlyArray<string> } => {
  let profile: Partial<GatewayProfile> = {}
  const unknown: Array<string> = []
  for (const part of text.match(/(?:"[^"]*"|[^",])+/g) ?? []) {
    const word = part.trim()
    if (word === "") continue
    const { name = "", plain, quoted } = item.exec(word)?.groups ?? {}
    const value = quoted ?? plain
    const announced = value === undefined ? words[name] : saidWith(name, value, profile)
    if (announced === undefined) unknown.push(word)
    else profile = { ...profile, ...announced }
  }
  return { profile, unknown }
}

const saidWith = (
  name: string,
  value: string,
  { notFound = [] }: Partial<GatewayProfile>
): Partial<GatewayProfile> | undefined => {
  if (name === "not-found") return { notFound: [...notFound, /^\d{1,9}$/.test(value) ? Number(value) : value] }
  if (name === "path-prefix" && isPrefix(value)) return { pathPrefix: value }
  return undefined
}

/** Whether the text can be a path prefix: empty, or segments that each begin with `/`. */
export const isPrefix = (text: string): boolean => /^(?:\/[\w.~-]+)*$/.test(text)

/** Writes a profile as the text that {@link parse} reads. */
export const format = (profile: GatewayProfile): string =>
  [
    ...Object.entries(words).flatMap(([word, announced]) => (holds(profile, announced) ? word : [])),
    ...profile.notFound.map((code) => `not-found=${typeof code === "number" ? code : `"${code}"`}`),
    ...(profile.pathPrefix === "" ? [] : [`path-prefix=${profile.pathPrefix}`])
  ].join(", ")

const holds = (profile: GatewayProfile, announced: Partial<GatewayProfile>): boolean =>
  isSame({ ...profile, ...announced }, profile)

/** Whether two profiles are equal. */
export const isSame = (one: GatewayProfile, other: GatewayProfile): boolean =>
  JSON.stringify(one, keys) === JSON.stringify(other, keys)

const keys = Object.keys(specification)

/** Whether a refusal of `status` means that the order does not exist. Messages are compared without regard to case. */
export const saysNotFound = (
  { notFound }: GatewayProfile,
  refused: { readonly errorCode?: number; readonly errorMessage?: string }
): boolean =>
  notFound.some((sign) =>
    typeof sign === "number" ? refused.errorCode === sign : refused.errorMessage?.toLowerCase() === sign.toLowerCase()
  )
