/** The days of a recurring payment as moments: a day begins at midnight of its time zone, whatever clocks do that day. */
import * as RecurringSchedule from "@pay/schema/RecurringSchedule"
import { DateTime } from "effect"
import type { Subscription } from "./Subscription.ts"

type Scheduled = Pick<Subscription, "period" | "interval" | "anchorDay" | "finishDay" | "occurrences" | "timeZone">

const epoch: RecurringSchedule.Day = { year: 1970, month: 1, day: 1 }
const parse = (text: string): RecurringSchedule.Day => RecurringSchedule.parseDay(text) ?? epoch

export const scheduleOf = ({
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

const reckon = ({ day, month, year }: RecurringSchedule.Day, timeZone: string, daysLater: number): number =>
  DateTime.makeUnsafe({ year, month, day }).pipe(
    DateTime.add({ days: daysLater }),
    DateTime.setZoneNamedUnsafe(timeZone, { adjustForTimeZone: true }),
    DateTime.toEpochMillis
  )

const mostKept = 1000
const kept = new Map<string, number>()

/** A night's many recurring payments share few midnights, and each is costly to reckon: they are kept. */
const startsAtMs = (day: RecurringSchedule.Day, timeZone: string, daysLater = 0): number => {
  const name = `${RecurringSchedule.formatDay(day)} ${daysLater} ${timeZone}`
  const existing = kept.get(name)
  if (existing !== undefined) return existing
  const startMs = reckon(day, timeZone, daysLater)
  if (kept.size >= mostKept) kept.clear()
  kept.set(name, startMs)
  return startMs
}

/** The day that it is in the zone. */
export const dayAt = (nowMs: number, timeZone: string): RecurringSchedule.Day => {
  const { day, month, year } = DateTime.toParts(DateTime.setZoneNamedUnsafe(DateTime.makeUnsafe(nowMs), timeZone))
  return { year, month, day }
}

/** `YYYY-MM-DD` of occurrence n; undefined after the end of the schedule. */
export const dayOf = (subscription: Scheduled, n: number): string | undefined => {
  const day = RecurringSchedule.occurrence(scheduleOf(subscription), n)
  return day === undefined ? undefined : RecurringSchedule.formatDay(day)
}

/** When occurrence n is due; undefined after the end of the schedule. */
export const dueAtMs = (subscription: Scheduled, n: number): number | undefined => {
  const day = RecurringSchedule.occurrence(scheduleOf(subscription), n)
  return day === undefined ? undefined : startsAtMs(day, subscription.timeZone)
}

/** How many occurrences are due by now, from number n on, which is. */
export const dueFrom = (subscription: Scheduled, n: number, nowMs: number): number => {
  const following = dueAtMs(subscription, n + 1)
  if (following === undefined || nowMs < following) return 1
  const last = RecurringSchedule.lastBy(scheduleOf(subscription), dayAt(nowMs, subscription.timeZone)) ?? n
  return last - n + 1
}

/** From this moment on nothing is charged any more: the day after the last one has begun. */
export const overAtMs = ({ finishDay, timeZone }: Scheduled): number =>
  finishDay === null ? Number.POSITIVE_INFINITY : startsAtMs(parse(finishDay), timeZone, 1)

/** Before this moment occurrence n may still be tried again: until the next one is due and while the schedule lasts. */
export const triedUntilMs = (subscription: Scheduled, n: number): number =>
  Math.min(overAtMs(subscription), dueAtMs(subscription, n + 1) ?? Number.POSITIVE_INFINITY)
