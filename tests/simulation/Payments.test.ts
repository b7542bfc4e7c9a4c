/** Payments of simulated worlds on all cores: nothing is wrong, and nothing that can happen is left out. */
import * as PayApi from "@pay/schema/PayApi"
import { assert, beforeAll, describe, it } from "vitest"
import * as EveryFlow from "../workflows/EveryFlow.ts"
import * as Pool from "./cli/Pool.ts"
import * as Account from "./merchant/Account.ts"
import * as MerchantActions from "./merchant/MerchantActions.ts"
import * as Steps from "./steps/Steps.ts"

const wanted = 10_000
/** Lives are begun until there are so many payments and everything has happened that is asked for below, but no more than these. */
const maxLives = 60
const steps = 120
/** Their runs once found a defect. They come first. */
const memorable = [5, 12, 38]
const others = Array.from({ length: maxLives }, (_, index) => index + 1).filter((seed) => !memorable.includes(seed))
const seeds = [...memorable, ...others]
/** In runs of a crowd, merchants often begin many payments at once, and request their status seldom. There are so many of them as it takes; their seeds are above these. */
const ordinary = 100
const crowd = { maxConcurrent: 400, frequentFault: "burst", plain: "memory", polls: "seldom" } as const
/** How many payments such a run will have, roughly: no more of them are begun than it takes. */
const expected = 3_300
const hourMs = 3_600_000

describe("ten thousand payments", () => {
  const done: Array<Pool.Done> = []
  const counts: Record<string, number> = {}

  const operations = () => {
    const answered = new Set(done.flatMap(({ result }) => [...result.answered]))
    return Object.values(PayApi.operations)
      .map(({ path }) => path)
      .filter((path) => !answered.has(path))
  }
  const flows = () => {
    const actions = new Set([...MerchantActions.creations, ...MerchantActions.followers].map(({ flow }) => flow))
    const all = [...EveryFlow.flows.map(({ name }) => name), "withAuthorization", "Resolve"]
    return all.filter((name) => !actions.has(name) || counts[name] === undefined)
  }
  const stepNames = () =>
    Steps.all
      .filter(({ group }) => group !== "files")
      .map(({ name }) => name)
      .filter((name) => counts[`step ${name}`] === undefined)
  const isEnough = (payments: number) =>
    payments >= wanted && [operations(), flows(), stepNames()].every((missing) => missing.length === 0)

  beforeAll(async () => {
    const startedMs = performance.now()
    let [runs, crowds, payments, underWay] = [0, 0, 0, 0]
    const next = () => {
      if (payments + underWay * expected < wanted) {
        crowds += 1
        underWay += 1
        return { ...crowd, seed: ordinary + crowds, steps, wantsLines: true }
      }
      const seed = isEnough(payments + underWay * expected) ? undefined : seeds[runs]
      if (seed === undefined) return undefined
      runs += 1
      return { seed, steps, wantsLines: true }
    }
    const tell = (each: Pool.Done) => {
      done.push(each)
      payments += each.result.payments
      underWay -= each.task.frequentFault === undefined ? 0 : 1
      for (const [name, count] of Object.entries(each.result.counts)) counts[name] = (counts[name] ?? 0) + count
    }
    while (runs < seeds.length && !isEnough(payments)) await Pool.run(next, tell)
    console.log(`${payments} payments in ${Math.round((performance.now() - startedMs) / 1000)} s`)
  }, hourMs)

  it("are right: money is where it belongs", () => {
    for (const { result, task } of done)
      assert.deepStrictEqual(result.problems, [], `seed ${task.seed}\n${result.lines.slice(-200).join("\n")}`)
  })

  it("are answered by every operation of the contract", () => {
    assert.deepStrictEqual(operations(), [])
  })

  it("are wanted by every flow, and by the programs that are made of flows", () => {
    assert.deepStrictEqual(flows(), [])
  })

  it("meet every step of the table; faults of files have tests of their own", () => {
    assert.deepStrictEqual(stepNames(), [])
  })

  it("are made by every merchant that is described, at whichever gateway, and each gets some done", () => {
    const logins = Object.values(Account).flatMap((exported) =>
      typeof exported === "object" && "login" in exported ? exported.login : []
    )
    const missing = logins.filter(
      (login) =>
        !done.some(({ result }) =>
          result.lines.some((line) => line.includes(` ${login}'s `) && line.endsWith(" ends Succeeded"))
        )
    )
    assert.isAtLeast(logins.length, 3)
    assert.deepStrictEqual(missing, [])
  })
})
