/** A check of `pay doctor` and its finding. */
import { UsageError } from "../terminal/UsageError.ts"

const states = ["ok", "note", "wrong"] as const

export interface Check {
  readonly name: string
  readonly state: (typeof states)[number]
  readonly says: string
}

export type Finding = Omit<Check, "name">

export const ok = (says: string): Finding => ({ state: "ok", says })
export const note = (says: string): Finding => ({ state: "note", says })
export const wrong = (says: string): Finding => ({ state: "wrong", says })

/** Returns a check by its name. A setting that cannot be used is a failed check with the message of its error. */
export const judged = async (name: string, look: () => Finding | Promise<Finding>): Promise<Check> => {
  try {
    return { name, ...(await look()) }
  } catch (error) {
    if (error instanceof UsageError) return { name, ...wrong(error.message) }
    throw error
  }
}
