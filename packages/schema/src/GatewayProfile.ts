/**
 * What a gateway does beyond the specification. Whoever relies on any of it asks the profile first. The default is
 * {@link specification}: the specification alone, which promises none of it.
 *
 * A gateway announces its profile in the header {@link header} of every answer, as a list of words:
 * `idempotency-key, by-request-sn, not-found=54`. The same text is what operators write in a setting.
 */
import { codes } from "./ErrorCode.ts"

export interface GatewayProfile {
  /** Two requests under one `Idempotency-Key` have one effect. */
  readonly honoursIdempotencyKey: boolean
  /** A repeated creation with the same `client_orderid` and content is answered with the order that is there. */
  readonly replaysClientOrderId: boolean
  /** `status` with `by-request-sn` answers about that one request. */
  readonly answersByRequest: boolean
  /**
   * From its acceptance on, `status` shows a capture, void or return as `processing`, or as done with the amounts that have
   * moved: what it does not show after a quiet period was never accepted.
   */
  readonly showsFollowUps: boolean
  /** `status` tells the `order-stage` of a payout that was checked and waits to be paid. */
  readonly showsOrderStage: boolean
  /** The body of every refusal has a `type`: one without is not the gateway's. */
  readonly typesErrors: boolean
  /** Identifiers may be JSON numbers, of more digits than a JavaScript number holds. */
  readonly numericIdentifiers: boolean
  /** A refused `status` with one of these error codes, or messages, says that there is no such order. */
  readonly notFound: ReadonlyArray<number | string>
  /** An endpoint group is addressed as `/group/{id}`. Else by its number alone, as the specification says. */
  readonly groupPath: boolean
  /** Between the base address and `/api/`: `/paynet`. */
  readonly pathPrefix: string
}

/** What the specification promises, and nothing else. */
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

/** What the gateway of this project does. */
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

/** Each word and what it says. */
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

/** What a text says, and the words of it that say nothing. */
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

/** Whether it can stand before `/api/`. */
export const isPrefix = (text: string): boolean => /^(?:\/[\w.~-]+)*$/.test(text)

/** The text that says it. */
export const format = (profile: GatewayProfile): string =>
  [
    ...Object.entries(words).flatMap(([word, announced]) => (holds(profile, announced) ? word : [])),
    ...profile.notFound.map((code) => `not-found=${typeof code === "number" ? code : `"${code}"`}`),
    ...(profile.pathPrefix === "" ? [] : [`path-prefix=${profile.pathPrefix}`])
  ].join(", ")

const holds = (profile: GatewayProfile, announced: Partial<GatewayProfile>): boolean =>
  isSame({ ...profile, ...announced }, profile)

/** Whether two profiles say the same. */
export const isSame = (one: GatewayProfile, other: GatewayProfile): boolean =>
  JSON.stringify(one, keys) === JSON.stringify(other, keys)

const keys = Object.keys(specification)

/** What a refusal of `status` has to say to mean that there is no such order. */
export const saysNotFound = (
  { notFound }: GatewayProfile,
  refused: { readonly errorCode?: number; readonly errorMessage?: string }
): boolean =>
  notFound.some((sign) =>
    typeof sign === "number" ? refused.errorCode === sign : refused.errorMessage?.toLowerCase() === sign.toLowerCase()
  )
