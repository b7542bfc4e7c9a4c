import { describe, expect, it } from "@effect/vitest"
import { faults, names } from "../src/plan/Faults.ts"
import type { Case } from "../src/plan/Payment.ts"
import * as Plan from "../src/plan/Plan.ts"

const wanted = { seed: 7, extents: { buy: { requests: 3, callbacks: 1 } }, hasVisits: true, payments: 1000 }

const pointsOf = (cases: ReadonlyArray<Case>) =>
  new Set(cases.filter(({ faults: own }) => own.length === 1).map(({ faults: own }) => JSON.stringify(own[0])))

describe("the plan of a crash test", () => {
  it("has each fault at each moment of the shop's payments", () => {
    const places = names.map((name) => faults[name].at)
    const count = (at: string) => places.filter((place) => place === at).length
    // Callbacks out of order need a second callback.
    const points = count("request") * 3 + count("callback") - 1 + count("bank") + count("customer") + count("clock")
    expect(pointsOf(Plan.cases(wanted)).size).toBe(points)
  })

  it("goes on with random pairs of faults, up to the number of payments", () => {
    const cases = Plan.cases(wanted)
    expect(cases).toHaveLength(1000)
    expect(cases.filter(({ faults: own }) => own.length === 2).length).toBeGreaterThan(800)
  })

  it.each([
    [
      "two answers of the bank",
      (own: Case) => own.faults.filter(({ fault }) => faults[fault].at === "bank").length > 1
    ],
    [
      "two faults at one moment",
      ({ faults: [one, other] }: Case) =>
        JSON.stringify(one?.moment) === JSON.stringify(other?.moment) && one?.moment.of !== "whole"
    ],
    [
      "two faults of the whole system",
      ({ faults: own }: Case) => own.filter(({ fault }) => "shared" in faults[fault]).length > 1
    ]
  ])("never has %s in one payment", (_, isWrong) => {
    expect(Plan.cases({ ...wanted, payments: 3000 }).filter(isWrong)).toEqual([])
  })

  it("is the same for the same seed, and another for another", () => {
    expect(Plan.cases(wanted)).toEqual(Plan.cases(wanted))
    expect(Plan.cases({ ...wanted, seed: 8 })).not.toEqual(Plan.cases(wanted))
  })

  it("keeps its order where the shop has made one more request", () => {
    const more = { ...wanted, extents: { buy: { requests: 4, callbacks: 1 } } }
    const numbers = (plan: typeof wanted) => Plan.cases({ ...plan, payments: 50 }).map(({ number }) => number)
    const [less, all] = [new Set(numbers(wanted)), new Set(numbers(more))]
    expect(numbers(wanted).filter((number) => all.has(number))).toEqual(
      numbers(more).filter((number) => less.has(number))
    )
    expect(numbers(wanted).filter((number) => all.has(number)).length).toBeGreaterThan(30)
  })

  it("finds each of its cases again by seed and number, whatever else was planned", () => {
    for (const own of Plan.cases(wanted)) expect(Plan.caseOf(7, own.number)).toEqual(own)
  })

  it.each([0, -1, 5_000, 1.5])("has no case %d", (number) => {
    expect(Plan.caseOf(7, number)).toBeUndefined()
  })

  it("has no return of a customer to a shop without pages of the gateway", () => {
    const cases = Plan.cases({ ...wanted, hasVisits: false })
    expect(cases.flatMap(({ faults: own }) => own).filter(({ fault }) => /return/i.test(fault))).toEqual([])
  })

  it("is a part of all faults if there are few payments", () => {
    const few = Plan.cases({ ...wanted, payments: 10 })
    expect(few).toHaveLength(10)
    expect(new Set(few.map(({ number }) => number)).size).toBe(10)
  })

  it("repeats the only fault if no pair is possible", () => {
    const cases = Plan.cases({ ...wanted, kinds: ["declined"], payments: 5 })
    expect(cases.map(({ faults: own }) => own.map(({ fault }) => fault))).toEqual(Array(5).fill(["declined"]))
    for (const own of cases) expect(Plan.caseOf(7, own.number)).toEqual(own)
  })

  it("draws for each payment how far the shop is when it is killed, also for each repetition of the same fault", () => {
    const killed = Plan.cases({ ...wanted, kinds: ["killedByCallback"], payments: 50 })
    expect(new Set(killed.map(({ killedAt }) => killedAt)).size).toBeGreaterThan(40)
    for (const { killedAt } of killed) expect(killedAt >= 0 && killedAt < 1).toBe(true)
    const again = Plan.cases({ ...wanted, kinds: ["killedByCallback"], payments: 50, seed: 8 })
    expect(again.map(({ killedAt }) => killedAt)).not.toEqual(killed.map(({ killedAt }) => killedAt))
  })

  it("has no case for a fault that this shop cannot meet", () => {
    expect(Plan.cases({ ...wanted, extents: { buy: { requests: 1, callbacks: 0 } }, kinds: ["lostCallback"] })).toEqual(
      []
    )
  })
})

describe("the rounds of a plan", () => {
  it("contain each payment once, with one shared fault or none", () => {
    const cases = Plan.cases(wanted)
    const rounds = Plan.rounds(cases)
    expect(rounds.flat()).toHaveLength(cases.length)
    for (const round of rounds) expect(new Set(round.map(Plan.shared)).size).toBe(1)
  })

  it("let one kill serve all payments that it concerns, whatever their moments", () => {
    const kills = (["killedBefore", "killedWaiting", "killedAfter", "killedByCallback"] as const).map((fault) => ({
      ...Plan.withoutCase,
      faults: [
        { fault, moment: { of: fault === "killedByCallback" ? ("callback" as const) : ("request" as const), index: 1 } }
      ]
    }))
    expect(Plan.rounds(kills)).toHaveLength(1)
  })

  it("contain the payments that wait for an answer together: they make one round long, and not each", () => {
    const isLate = ({ faults: own }: Case) => own.some(({ fault }) => fault === "lateAnswer")
    const rounds = Plan.rounds(Plan.cases({ ...wanted, payments: 3000 })).filter(
      ([first]) => first !== undefined && !Plan.sharedFault(first)
    )
    expect(rounds.length).toBeGreaterThan(2)
    expect(rounds.filter((round) => round.some(isLate))).toHaveLength(1)
  })
})
