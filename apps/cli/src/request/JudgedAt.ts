/** The time at which timestamps are judged: `--at`, or now. */

import type { Given } from "../command/Flags.ts"
import { nowSeconds } from "../terminal/Environment.ts"
import { UsageError } from "../terminal/UsageError.ts"

/** Largest difference, in seconds, between a timestamp and the time at which it is judged: the gateway's default. */
export const TOLERANCE_SECONDS = 300

export const seconds = (given: Given): number => {
  const text = given.flags.get("at")
  if (text === undefined) return nowSeconds()
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new UsageError("--at is a Unix time in whole seconds")
}
