/**
 * Converts the days of a recurring payment to times. A day begins at midnight of its time zone, also on days when the
 * clocks change.
 */
import * as RecurringSchedule from "@pay/schema/RecurringSchedule"
import { DateTime } from "effect"
import type { Subscription } from "./Subscription.ts"

type Scheduled = Pick<Subscription, "period" | "interval" | "anchorDay" | "finishDay" | "occurrences" | "timeZone">

const epoch: RecurringSchedule.Day = { year: 1970, month: 1, day: 1 }
const parse = (text: string): RecurringSchedule.Day => RecurringSchedule.parseDay(text) ?? epoch

const scheduleOf = ({
  anchorDay,
  finishDay,
  interval,
  occurrences,
  period
}: Scheduled): RecurringSchedule.Schedule => ({
  period,
  interval,
  anchor: parse(anchorDay),
  ...(finishDay === null ? {} : { finish: parse(finishDay) }),
  ...(occurrences === null ? {} : { occurrences })
})

const computeStartMs = ({ day, month, year }: RecurringSchedule.Day, timeZone: string, daysLater: number): number =>
  DateTime.makeUnsafe({ year, month, day }).pipe(
    DateTime.add({ days: daysLater }),
    DateTime.setZoneNamedUnsafe(timeZone, { adjustForTimeZone: true }),
    DateTime.toEpochMillis
  )

const mostCached = 1000
const startCache = new Map<string, number>()

/** Returns the start of a day, cached: many recurring payments share few days, and the computation is slow. */
const startsAtMs = (day: RecurringSchedule.Day, timeZone: string, daysLater = 0): number => {
  const name = `${RecurringSchedule.formatDay(day)} ${daysLater} ${timeZone}`
  const existing = startCache.get(name)
  if (existing !== undefined) return existing
  const startMs = computeStartMs(day, timeZone, daysLater)
  if (startCache.size >= mostCached) startCache.clear()
  startCache.set(name, startMs)
  return startMs
}

/** Returns the day in the time zone. */
export const dayAt = (nowMs: number, timeZone: string): RecurringSchedule.Day => {
  const { day, month, year } = DateTime.toParts(DateTime.setZoneNamedUnsafe(DateTime.makeUnsafe(nowMs), timeZone))
  return { year, month, day }
}

/** Returns the day of occurrence n as `YYYY-MM-DD`; undefined after the end of the schedule. */
export const dayOf = (subscription: Scheduled, n: number): string | undefined => {
  const day = RecurringSchedule.occurrence(scheduleOf(subscription), n)
  return day === undefined ? undefined : RecurringSchedule.formatDay(day)
}

/** Returns the time at which occurrence n is due; undefined after the end of the schedule. */
export const dueAtMs = (subscription: Scheduled, n: number): number | undefined => {
  const day = RecurringSchedule.occurrence(scheduleOf(subscription), n)
  return day === undefined ? undefined : startsAtMs(day, subscription.timeZone)
}

/** Returns the number of occurrences that are due by now, from number n on. Occurrence n must be due. */
export const dueFrom = (subscription: Scheduled, n: number, nowMs: number): number => {
  const following = dueAtMs(subscription, n + 1)
  if (following === undefined || nowMs < following) return 1
  const last = RecurringSchedule.lastBy(scheduleOf(subscription), dayAt(nowMs, subscription.timeZone)) ?? n
  return last - n + 1
}

/** Returns the time from which nothing is charged any more: the start of the day after the last day of the schedule. */
export const overAtMs = ({ finishDay, timeZone }: Scheduled): number =>
  finishDay === null ? Number.POSITIVE_INFINITY : startsAtMs(parse(finishDay), timeZone, 1)

/** Returns the time until which occurrence n may be tried again: the next one is due, or the schedule ends. */
export const triedUntilMs = (subscription: Scheduled, n: number): number =>
  Math.min(overAtMs(subscription), dueAtMs(subscription, n + 1) ?? Number.POSITIVE_INFINITY)
