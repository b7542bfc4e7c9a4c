/**
 * The days on which a recurring payment is charged: occurrence *n* is the anchor plus *n* intervals. A schedule consists of
 * calendar days without times. The time zone of the endpoint determines the instant at which a day begins.
 */
import { DateTime } from "effect"

/** The units of a schedule. The specification names the field, public pages three of the words. */
export const periods = ["daily", "weekly", "monthly", "yearly"] as const
export type Period = (typeof periods)[number]

/** A day of the proleptic Gregorian calendar. */
export interface Day {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  /** 1 to 31. */
  readonly day: number
}

/** The schedule of a recurring payment. It ends at `finish` or after `occurrences`, whichever comes first. */
export interface Schedule {
  readonly period: Period
  /** Periods between two occurrences, 1 or more. */
  readonly interval: number
  /** The day of occurrence 0. */
  readonly anchor: Day
  /** The last day on which an occurrence may fall. */
  readonly finish?: Day
  /** Total number of occurrences. */
  readonly occurrences?: number
}

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

const daysIn = (year: number, month: number): number =>
  month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31

const dayText = /^(\d{4})-(\d\d)-(\d\d)$/

/** Reads a day in the form `YYYY-MM-DD`. `undefined` for other text and for days that do not exist. */
export const parseDay = (text: string): Day | undefined => {
  const [, year = Number.NaN, month = Number.NaN, day = Number.NaN] = dayText.exec(text)?.map(Number) ?? []
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month) ? { year, month, day } : undefined
}

/** Writes a day in the form `YYYY-MM-DD`. */
export const formatDay = ({ day, month, year }: Day): string =>
  `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`

/** Compares two days. The result is below zero if the first day is earlier, and above zero if it is later. */
export const compareDays = (one: Day, other: Day): number =>
  one.year - other.year || one.month - other.month || one.day - other.day

const dayNumber = ({ day, month, year }: Day): number => Date.UTC(year, month - 1, day) / 86_400_000

const plusDays = ({ day, month, year }: Day, days: number): Day => {
  const moved = DateTime.toPartsUtc(DateTime.add(DateTime.makeUnsafe({ year, month, day }), { days }))
  return { year: moved.year, month: moved.month, day: moved.day }
}

/** Adds months to a day. If the month lacks the day, its last day is used: January 31st becomes February 28th or 29th. */
const plusMonths = ({ day, month, year }: Day, months: number): Day => {
  const count = year * 12 + (month - 1) + months
  const target = { year: Math.floor(count / 12), month: (count % 12) + 1 }
  return { ...target, day: Math.min(day, daysIn(target.year, target.month)) }
}

const step: Record<Period, (anchor: Day, count: number) => Day> = {
  daily: plusDays,
  weekly: (anchor, count) => plusDays(anchor, 7 * count),
  monthly: plusMonths,
  yearly: (anchor, count) => plusMonths(anchor, 12 * count)
}

/**
 * The day of occurrence *n*, from 0; `undefined` after the end of the schedule. The day is always computed from the anchor:
 * January 31st is followed by February 28th or 29th, and then by March 31st.
 */
export const occurrence = (schedule: Schedule, n: number): Day | undefined => {
  if (schedule.occurrences !== undefined && n >= schedule.occurrences) return undefined
  const day = step[schedule.period](schedule.anchor, n * schedule.interval)
  return schedule.finish !== undefined && compareDays(day, schedule.finish) > 0 ? undefined : day
}

const elapsed: Record<Period, (anchor: Day, day: Day) => number> = {
  daily: (anchor, day) => dayNumber(day) - dayNumber(anchor),
  weekly: (anchor, day) => (dayNumber(day) - dayNumber(anchor)) / 7,
  monthly: (anchor, day) => (day.year - anchor.year) * 12 + day.month - anchor.month,
  yearly: (anchor, day) => day.year - anchor.year
}

/** The number of the last occurrence on or before the day, from 0; `undefined` if there is none. */
export const lastBy = (schedule: Schedule, day: Day): number | undefined => {
  const { anchor, finish, interval, occurrences = Number.POSITIVE_INFINITY, period } = schedule
  const until = finish !== undefined && compareDays(finish, day) < 0 ? finish : day
  const guess = Math.floor(elapsed[period](anchor, until) / interval)
  const n = compareDays(step[period](anchor, guess * interval), until) > 0 ? guess - 1 : guess
  const last = Math.min(n, occurrences - 1)
  return last < 0 ? undefined : last
}
