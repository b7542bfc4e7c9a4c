/**
 * The profile that the client assumes for its gateway: its own options, and the announcement in the latest answer that was
 * accepted. Before the first answer, and after an answer without an announcement, the specification applies instead of an
 * announcement.
 */
import * as GatewayProfile from "@pay/schema/GatewayProfile"

/** The profile that is assumed for a gateway. */
export interface AssumedProfile {
  readonly profile: GatewayProfile.GatewayProfile
  /** Whether all answers that were accepted so far have announced the same profile. */
  readonly isSteady: boolean
}

/** The value of the header that announces a profile. */
type Announcement = string | ReadonlyArray<string> | undefined

/** Keeps the profile that one client assumes. */
export interface Tracker {
  /** Returns the profile that is assumed now. */
  readonly now: () => AssumedProfile
  /**
   * Returns the profile with which an answer is read: that of its own announcement, or without one the profile that is assumed
   * now.
   */
  readonly of: (announcement: Announcement) => GatewayProfile.GatewayProfile
  /** Records the announcement of an answer that was accepted. */
  readonly accept: (announcement: Announcement) => void
}

/** The settings for the paths of requests, which no announcement changes. */
const { groupPath, pathPrefix } = GatewayProfile.specification

export const make = (given: Partial<GatewayProfile.GatewayProfile> = {}): Tracker => {
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
      const next = received === undefined ? unannounced : announced(received)
      isSteady = isSteady && (isFirst || GatewayProfile.isSame(next, profile))
      isFirst = false
      text = received
      profile = next
    }
  }
}
