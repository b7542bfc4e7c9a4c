/**
 * How one kind of gateway speaks the protocol, as a value: the paths and the form of its answers, other spellings, the operations
 * that it lacks, signatures that cover something else, and what it does beyond the specification. The contract is one for all
 * profiles. Without a profile, the client speaks as the specification says.
 *
 * @example PayClient.layer({ …, profile: "paynet" })
 * @example PayClient.layer({ …, profile: { ...Profile.named.paynet, lacks: ["PAYOUT_V4"] } })
 */
import type { Dialect } from "@pay/schema/Dialect"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import type { Operation } from "@pay/schema/Operation"
import type * as PayApi from "@pay/schema/PayApi"
import type { Status } from "@pay/schema/Status"
import type { Recipe } from "@pay/signing/Control"

/** The points in which a gateway differs from the specification. */
export interface Differences {
  /**
   * The form of answers. `json` is the specification's, which each request asks for. `pairs` is the form of the older dialect:
   * requests ask for nothing, and refusals have the HTTP status 200. Operations of version 4 are answered in JSON there, too.
   */
  readonly answers: Dialect
  /** Statuses that the gateway spells otherwise, and the specification's word for each. */
  readonly statuses: Readonly<Record<string, Status>>
  /** Fields of answers that the gateway names otherwise, and the contract's name of each. */
  readonly names: Readonly<Record<string, string>>
  /** Operations that the gateway does not have. A call of one ends as `InvalidRequest`, and nothing is sent. */
  readonly lacks: ReadonlyArray<PayApi.Name>
  /** The recipes of `control`, for the operations whose recipe differs. */
  readonly recipes: Readonly<Partial<Record<PayApi.Name, Recipe>>>
}

/** The differences of a gateway that follows the specification: none. */
export const specification: Differences = { answers: "json", statuses: {}, names: {}, lacks: [], recipes: {} }

/** The profile of a gateway. What it leaves out follows the specification, or the announcement in the gateway's answers. */
export interface Profile extends Partial<Differences>, Partial<GatewayProfile.GatewayProfile> {}

/** The older dialect. Deployed modules write the number of an endpoint group after `/group/`. */
const older = { answers: "pairs", groupPath: true } as const satisfies Profile

/**
 * The public dialects, of which the last three differ in the path before `/api/`, which deployed modules write into their program;
 * and the gateway of this project.
 */
export const named = {
  /** The profile of a client without the option `profile`. */
  specification: {},
  pairs: older,
  paynet: { ...older, pathPrefix: "/paynet" },
  checkout: { ...older, pathPrefix: "/checkout" },
  payment: { ...older, pathPrefix: "/payment" },
  /**
   * The gateway of this project. It announces its profile in each answer. This entry says before the first answer that it replays a
   * repeated creation, so that the first payment of a client needs no status before it.
   */
  pay: { replaysClientOrderId: true }
} as const satisfies Readonly<Record<string, Profile>>

export type Name = keyof typeof named

/** The names of the public dialects. */
export const all = ["specification", "pairs", "paynet", "checkout", "payment"] as const satisfies ReadonlyArray<Name>

/** Returns the profile with this name, or the profile itself. */
export const of = (profile: Name | Profile = "specification"): Profile =>
  typeof profile === "string" ? named[profile] : profile

/** The names of all profiles. */
export const names = [...all, "pay"] as const satisfies ReadonlyArray<Name>

/** Whether a profile has this name. */
export const isName = (text: string): text is Name => Object.hasOwn(named, text)

/**
 * Reads the text of a setting: the name of a profile, words of `@pay/schema/GatewayProfile`, or both, separated by commas.
 * `unknown` lists the words that have no meaning.
 *
 * @example parse("paynet, idempotency-key, not-found=54")
 */
export const parse = (text: string): { readonly profile: Profile; readonly unknown: ReadonlyArray<string> } => {
  const { profile, unknown } = GatewayProfile.parse(text)
  const [name, ...further] = unknown.filter(isName)
  return {
    profile: name === undefined ? profile : { ...named[name], ...profile },
    unknown: [...unknown.filter((word) => !isName(word)), ...further]
  }
}

/** Splits a profile into its differences and what the gateway does beyond the specification. */
export const parts = ({
  answers = specification.answers,
  lacks = specification.lacks,
  names = specification.names,
  recipes = specification.recipes,
  statuses = specification.statuses,
  ...traits
}: Profile): { readonly differences: Differences; readonly traits: Partial<GatewayProfile.GatewayProfile> } => ({
  differences: { answers, lacks, names, recipes, statuses },
  traits
})

/** Returns the recipe of `control` that the profile has for the operation. `undefined` if the profile has none. */
export const recipeOf = (
  { recipes }: Pick<Differences, "recipes">,
  { name }: Pick<Operation, "name">
): Recipe | undefined => {
  const byName: Readonly<Record<string, Recipe | undefined>> = recipes
  return byName[name]
}
