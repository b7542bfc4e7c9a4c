/**
 * What the client believes of its gateway: what its options say, and what the gateway announced in the latest answer that was
 * accepted as belonging to its request. Before that, and after an answer that announces nothing, the specification alone.
 */
import * as GatewayProfile from "@pay/schema/GatewayProfile"

export interface Believed {
  readonly profile: GatewayProfile.GatewayProfile
  /** Every answer that was accepted so far has announced the same. */
  readonly isSteady: boolean
}

export type CallbackContent = string | ReadonlyArray<string> | undefined

export interface Belief {
  readonly now: () => Believed
  /** What an answer is read by: its own announcement, and without one what is believed. */
  readonly of: (announcement: CallbackContent) => GatewayProfile.GatewayProfile
  /** The answer was accepted. */
  readonly accept: (announcement: CallbackContent) => void
}

/** Where requests go is a setting; no answer changes it. */
const { groupPath, pathPrefix } = GatewayProfile.specification

export const make = (given: Partial<GatewayProfile.GatewayProfile> = {}): Belief => {
  const unannounced = { ...GatewayProfile.specification, ...given }
  let text: string | undefined
  let profile = unannounced
  let isSteady = true
  let isFirst = true

  const announced = (announcement: string): GatewayProfile.GatewayProfile => {
    if (announcement === text) return profile
    const { profile: said } = GatewayProfile.parse(announcement)
    return { ...GatewayProfile.specification, ...said, groupPath, pathPrefix, ...given }
  }
  return {
    now: () => ({ profile, isSteady }),
    of: (announcement) => (typeof announcement === "string" ? announced(announcement) : profile),
    accept: (announcement) => {
      const heard = typeof announcement === "string" ? announcement : undefined
      if (!isFirst && heard === text) return
      const told = heard === undefined ? unannounced : announced(heard)
      isSteady = isSteady && (isFirst || GatewayProfile.isSame(told, profile))
      isFirst = false
      text = heard
      profile = told
    }
  }
}
