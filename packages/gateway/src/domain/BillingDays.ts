/** The days of a recurring payment as moments: a day begins at midnight of its time zone, whatever clocks do that day. */
import * as RecurringSchedule from "@pay/schema/RecurringSchedule"
import { DateTime } from "effect"
import type { Subscription } from "./entities/Subscription.ts"

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

const startsAtMs = ({ day, month, year }: RecurringSchedule.Day, timeZone: string, daysLater = 0): number =>
  DateTime.makeUnsafe({ year, month, day }).pipe(
    DateTime.add({ days: daysLater }),
    DateTime.setZoneNamedUnsafe(timeZone, { adjustForTimeZone: true }),
    DateTime.toEpochMillis
  )

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

/** The number of the last occurrence that is due by now. */
export const lastDue = (subscription: Scheduled, nowMs: number): number | undefined =>
  RecurringSchedule.lastBy(scheduleOf(subscription), dayAt(nowMs, subscription.timeZone))

/** Before this moment occurrence n may still be tried again: until the next one is due and while the schedule lasts. */
export const triedUntilMs = (subscription: Scheduled, n: number): number => {
  const { finishDay, timeZone } = subscription
  const over = finishDay === null ? Number.POSITIVE_INFINITY : startsAtMs(parse(finishDay), timeZone, 1)
  return Math.min(over, dueAtMs(subscription, n + 1) ?? Number.POSITIVE_INFINITY)
}
