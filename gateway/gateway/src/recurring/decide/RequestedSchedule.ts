/** The schedule of a new recurring payment, as its request asks for it. */

import type { Request } from "@pay/schema/Operation"
import type * as PayApi from "@pay/schema/PayApi"
import * as RecurringSchedule from "@pay/schema/RecurringSchedule"
import { Result } from "effect"
import * as BillingDays from "./BillingDays.ts"

/** The days of the first charge and of the end. */
interface Days {
  readonly anchorDay: string
  readonly finishDay: string | null
}

/** Fails for days in the past, with the field to change and a message. */
const checkDays = ({ anchorDay, finishDay }: Days, today: string, timeZone: string) => {
  const inZone = `${today} in ${timeZone}, the time zone of this endpoint`
  if (anchorDay < today)
    return Result.fail({ field: "start-date", message: `Parameter start-date is in the past; today is ${inZone}` })
  return finishDay !== null && finishDay < anchorDay
    ? Result.fail({
        field: "finish-date",
        message: `Parameter finish-date is before the first charge, ${anchorDay === today ? inZone : anchorDay}`
      })
    : Result.void
}

type ScheduleFields = Pick<
  Request<typeof PayApi.operations.CREATE_RP_V4>,
  "period" | "interval" | "occurrences" | "start-date" | "finish-date"
>

/** Returns the schedule and the time of its first charge. `nowMs` starts it today, if the request names no day. */
export const read = (request: ScheduleFields, timeZone: string, nowMs: number) => {
  const today = RecurringSchedule.formatDay(BillingDays.dayAt(nowMs, timeZone))
  const days: Days = { anchorDay: request["start-date"] ?? today, finishDay: request["finish-date"] ?? null }
  const { interval, occurrences = null, period } = request
  const schedule = { period, interval, occurrences, timeZone, ...days }
  const startsToday = days.anchorDay === today
  const firstAtMs = startsToday ? nowMs : (BillingDays.dueAtMs(schedule, 0) ?? nowMs)
  return Result.map(checkDays(days, today, timeZone), () => ({ schedule, startsToday, firstAtMs }))
}
