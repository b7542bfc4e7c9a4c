/**
 * What a check requires of a gateway beyond the operations of the specification. If the gateway lacks it, the check is not made,
 * and does not fail.
 */
import type * as GatewayProfile from "@pay/schema/GatewayProfile"
import type { Operation } from "@pay/schema/Operation"
import * as Settings from "./Settings.ts"

/** Facts about the gateway that are collected before the checks start. */
export interface Facts {
  readonly settings: Settings.Settings
  readonly profile: GatewayProfile.GatewayProfile
  readonly words: ReadonlySet<string>
  /** The names of the operations whose paths the gateway serves. */
  readonly operations: ReadonlySet<string>
  /** Whether the endpoint also accepts the older dialect: requests without the specification's `Accept`. */
  readonly acceptsOlder: boolean
}

/** One thing that a gateway may lack without breaking the specification. */
export interface Capability {
  readonly name: string
  /** The text of the report if the capability is missing: what to add to the file, or what the gateway does not do. */
  readonly lacking: string
  readonly isIn: (facts: Facts) => boolean
}

type Flag = {
  [K in keyof GatewayProfile.GatewayProfile]: GatewayProfile.GatewayProfile[K] extends boolean ? K : never
}[keyof GatewayProfile.GatewayProfile]

const announced = (name: string, flag: Flag, about: string): Capability => ({
  name,
  lacking: `the gateway does not announce "${name}": ${about}`,
  isIn: ({ profile }) => profile[flag]
})

export const idempotencyKey = announced(
  "idempotency-key",
  "honoursIdempotencyKey",
  "two requests under one Idempotency-Key have one effect"
)
export const replays = announced(
  "client-orderid-replay",
  "replaysClientOrderId",
  "a repeated creation is answered with the existing order"
)
export const byRequest = announced("by-request-sn", "answersByRequest", "status reports the outcome of one request")
export const followUps = announced("follow-ups-in-status", "showsFollowUps", "status shows each follow-up")
export const orderStage = announced("order-stage", "showsOrderStage", "status reports the stage of a checked payout")
export const typedErrors = announced("typed-errors", "typesErrors", "the body of every refusal has a type")
export const textIdentifiers: Capability = {
  name: "text-identifiers",
  lacking: 'the gateway does not announce "text-identifiers": identifiers are text',
  isIn: ({ profile }) => !profile.numericIdentifiers
}

const word = (name: Settings.Word): Capability => ({
  name,
  lacking: `"capabilities" of the file does not name "${name}": ${Settings.words[name]}`,
  isIn: ({ words }) => words.has(name)
})

export const assumptions = word("assumptions")
export const errorCodes = word("error-codes")
export const amounts = word("amounts")
export const webhooks = word("webhooks")

const setting = (name: keyof Settings.Settings): Capability => ({
  name,
  lacking: `the file has no "${name}"`,
  isIn: ({ settings }) => settings[name] !== undefined
})

export const threedsGateway = setting("threedsGateway")
export const threedsMerchant = setting("threedsMerchant")
export const limited = setting("limited")
export const group = setting("group")
export const otherMerchant = setting("other")
export const clock = setting("clock")
export const password = setting("password")
export const rsa = setting("privateKey")

/** The gateway refuses requests without the specification's `Accept`. */
export const acceptRequired: Capability = {
  name: "accept-required",
  lacking: '"endpoint" of the file accepts the older dialect, which accepts every Accept',
  isIn: ({ acceptsOlder }) => !acceptsOlder
}

/** The gateway can reach the listener: both are on this machine, or the file has the listener's address. */
export const listener: Capability = {
  name: "listener",
  lacking: 'the file has no "listen" with the "url" by which the gateway reaches the listener',
  isIn: ({ settings, words }) => settings.listen?.url !== undefined || words.has("loopback")
}

export const card = (role: Settings.CardRole): Capability => ({
  name: `card ${role}`,
  lacking: `"cards" of the file has no "${role}"`,
  isIn: ({ settings }) => settings.cards[role] !== undefined
})

export const threedsCard = (role: Settings.ThreeDSRole): Capability => ({
  name: `3-D Secure card ${role}`,
  lacking: `"threedsCards" of the file has no "${role}"`,
  isIn: ({ settings }) => settings.threedsCards?.[role] !== undefined
})

export const recipient = (role: Settings.RecipientRole): Capability => ({
  name: `recipient ${role}`,
  lacking: `"recipients" of the file has no "${role}"`,
  isIn: ({ settings }) => settings.recipients?.[role] !== undefined
})

/** The gateway serves the path of the operation, and the file has the key that signs the operation. */
export const operation = ({ command, name, signing }: Operation): ReadonlyArray<Capability> => [
  {
    name: `operation ${command}`,
    lacking: `the gateway does not offer ${command}`,
    isIn: ({ operations }) => operations.has(name)
  },
  ...(signing._tag === "OAuth" && signing.methods[0] === "RSA-SHA256" ? [rsa] : [])
]
