import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as RecurringSchedule from "../src/RecurringSchedule.ts"

const day = (text: string): RecurringSchedule.Day => {
  const parsed = RecurringSchedule.parseDay(text)
  if (parsed === undefined) throw new Error(`not a day: ${text}`)
  return parsed
}

const dayOf = (schedule: RecurringSchedule.Schedule, n: number): string | undefined => {
  const result = RecurringSchedule.occurrence(schedule, n)
  return result === undefined ? undefined : RecurringSchedule.formatDay(result)
}

describe("RecurringSchedule.occurrence", () => {
  it.each([
    ["daily", 1, "2030-02-27", ["2030-02-27", "2030-02-28", "2030-03-01"]],
    ["daily", 1, "2028-02-28", ["2028-02-28", "2028-02-29", "2028-03-01"]],
    ["daily", 30, "2030-12-15", ["2030-12-15", "2031-01-14", "2031-02-13"]],
    ["weekly", 2, "2030-12-25", ["2030-12-25", "2031-01-08", "2031-01-22"]],
    ["monthly", 1, "2030-01-31", ["2030-01-31", "2030-02-28", "2030-03-31", "2030-04-30"]],
    ["monthly", 1, "2028-01-30", ["2028-01-30", "2028-02-29", "2028-03-30"]],
    ["monthly", 3, "2030-11-30", ["2030-11-30", "2031-02-28", "2031-05-30"]],
    ["yearly", 1, "2028-02-29", ["2028-02-29", "2029-02-28", "2030-02-28", "2031-02-28", "2032-02-29"]],
    ["yearly", 4, "2096-02-29", ["2096-02-29", "2100-02-28", "2104-02-29"]]
  ] as const)("gives the due days of a schedule: %s, interval %i, from %s", (period, interval, anchor, days) =>
    expect(days.map((_, n) => dayOf({ period, interval, anchor: day(anchor) }, n))).toEqual(days)
  )

  it.each([
    [{ occurrences: 2 }, ["2030-01-31", "2030-02-28", undefined]],
    [{ finish: day("2030-02-28") }, ["2030-01-31", "2030-02-28", undefined]],
    [{ finish: day("2030-02-27") }, ["2030-01-31", undefined]],
    [{ finish: day("2030-03-01"), occurrences: 1 }, ["2030-01-31", undefined]]
  ])("is undefined after the end: %j", (end, days) =>
    expect(days.map((_, n) => dayOf({ period: "monthly", interval: 1, anchor: day("2030-01-31"), ...end }, n))).toEqual(
      days
    )
  )
})

describe("RecurringSchedule.lastBy", () => {
  const schedule = { period: "monthly", interval: 1, anchor: day("2030-01-31") } as const
  it.each([
    ["2030-01-30", undefined],
    ["2030-01-31", 0],
    ["2030-02-27", 0],
    ["2030-02-28", 1],
    ["2030-03-30", 1],
    ["2030-03-31", 2]
  ])("is the number of the latest due day: on %s it is %s", (today, n) =>
    expect(RecurringSchedule.lastBy(schedule, day(today))).toBe(n)
  )
  it("is the last occurrence after the end", () => {
    expect(RecurringSchedule.lastBy({ ...schedule, occurrences: 2 }, day("2031-01-01"))).toBe(1)
    expect(RecurringSchedule.lastBy({ ...schedule, finish: day("2030-03-01") }, day("2031-01-01"))).toBe(1)
  })

  const anyDay = fc
    .record({ year: fc.integer({ min: 2000, max: 2120 }), month: fc.integer({ min: 1, max: 12 }) })
    .chain(({ month, year }) => fc.integer({ min: 1, max: 31 }).map((last) => ({ year, month, day: last })))
    .filter((candidate) => RecurringSchedule.parseDay(RecurringSchedule.formatDay(candidate)) !== undefined)

  it("is the latest occurrence that is not after the given day", () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...RecurringSchedule.periods),
        fc.integer({ min: 1, max: 40 }),
        anyDay,
        anyDay,
        (period, interval, anchor, today) => {
          const any = { period, interval, anchor }
          const n = RecurringSchedule.lastBy(any, today) ?? -1
          const at = RecurringSchedule.occurrence(any, n)
          const next = RecurringSchedule.occurrence(any, n + 1)
          expect(n === -1 || (at !== undefined && RecurringSchedule.compareDays(at, today) <= 0)).toBe(true)
          expect(next !== undefined && RecurringSchedule.compareDays(next, today) > 0).toBe(true)
        }
      )
    ))
})

describe("RecurringSchedule.parseDay", () => {
  it.each(["2030-02-28", "2028-02-29", "2000-02-29", "2030-12-31"])("accepts %s", (text) =>
    expect(RecurringSchedule.formatDay(day(text))).toBe(text)
  )
  it.each([
    "2030-02-29",
    "2100-02-29",
    "2030-13-01",
    "2030-00-10",
    "2030-04-31",
    "2030-1-1",
    "30-01-01",
    "2030-01-01T00:00",
    "٢٠٣٠-01-01",
    ""
  ])("refuses %s", (text) => expect(RecurringSchedule.parseDay(text)).toBeUndefined())
})
