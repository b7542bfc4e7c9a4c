/**
 * Reads the profile of a gateway from the text of a setting: the name of a profile and words, or the path of a file that
 * `pay conformance --harmless` wrote. Every client and command reads a profile by this module. A client checks the settings of the
 * profile when it is made (`ProfileProblem`).
 *
 * @example read("paynet, not-found=54")
 * @example read("gateway-profile.json")
 */
import { readFileSync } from "node:fs"
import * as Profile from "./Profile.ts"

/** The profile, or what is wrong with the text: the end of a sentence that begins with the name of the setting. */
export type Reading =
  | { readonly ok: true; readonly profile: Profile.Profile }
  | { readonly ok: false; readonly problem: string }

const wrong = (problem: string): Reading => ({ ok: false, problem })

/** Whether the text is the path of a file. No word of a profile ends so. */
const isFile = (text: string): boolean => /\.json$/i.test(text)

const contentOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8").replace(/^\uFEFF/, "")
  } catch {
    return undefined
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns the entry `profile` of a file. The other entries are for people. */
const inFile = (path: string): Reading => {
  const content = contentOf(path)
  if (content === undefined) return wrong("names a file that cannot be read")
  const file = parsed(content)
  return isObject(file) && "profile" in file && isObject(file.profile)
    ? { ok: true, profile: file.profile }
    : wrong('names a file that has no object "profile"')
}

/** Reads the text. */
export const read = (text: string): Reading => {
  const path = text.trim()
  if (isFile(path)) return inFile(path)
  const { profile, unknown } = Profile.parse(text)
  const [word] = unknown
  return word === undefined ? { ok: true, profile } : wrong(`has an unknown word: ${word.slice(0, 40)}`)
}
