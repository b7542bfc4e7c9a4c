/**
 * A job that can do nothing before something else has ended looks again later, each time after a longer wait: an
 * outcome may stay unknown for months. Whatever ends it in the meantime writes the next step in its own commit.
 */

import * as Delivery from "../callbacks/Delivery.ts"
import type { Job } from "../kernel/Job.ts"
import * as Inquiry from "./outcomes/Inquiry.ts"

const minuteMs = 60_000
/** The waits before the second, third, … look; the last one repeats. */
export const delaysMs = [
  minuteMs,
  5 * minuteMs,
  15 * minuteMs,
  60 * minuteMs,
  6 * 60 * minuteMs,
  24 * 60 * minuteMs
] as const

/** When an item that has looked so many times looks again. */
export const untilMs = (tries: number, nowMs: number): number => nowMs + Inquiry.step(delaysMs, tries)

/** The item, free again and due at its next look. */
export const later = (item: Job, nowMs: number): Job => Delivery.waiting(item, untilMs(item.tries, nowMs))
