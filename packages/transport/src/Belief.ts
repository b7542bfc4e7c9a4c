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

/** The settings for the paths of requests. No answer changes them. */
const { groupPath, pathPrefix } = GatewayProfile.specification

export const make = (given: Partial<GatewayProfile.GatewayProfile> = {}): Belief => {
  const unannounced = { ...GatewayProfile.specification, ...given }
  let text: string | undefined
  let profile = unannounced
  let isSteady = true
  let isFirst = true

  const announced = (announcement: string): GatewayProfile.GatewayProfile => {
    if (announcement === text) return profile
    const { profile: output } = GatewayProfile.parse(announcement)
    return { ...GatewayProfile.specification, ...output, groupPath, pathPrefix, ...given }
  }
  return {
    now: () => ({ profile, isSteady }),
    of: (announcement) => (typeof announcement === "string" ? announced(announcement) : profile),
    accept: (announcement) => {
      const received = typeof announcement === "string" ? announcement : undefined
      if (!isFirst && received === text) return
      const believed = received === undefined ? unannounced : announced(received)
      isSteady = isSteady && (isFirst || GatewayProfile.isSame(believed, profile))
      isFirst = false
      text = received
      profile = believed
    }
  }
}
