/** Simulated payments on all cores: no check fails, and every step, flow and operation takes part. */
import * as PayApi from "@pay/schema/PayApi"
import { assert, beforeAll, describe, it } from "vitest"
import * as EveryFlow from "../workflows/EveryFlow.ts"
import * as Pool from "./cli/Pool.ts"
import * as Account from "./merchant/Account.ts"
import * as MerchantActions from "./merchant/MerchantActions.ts"
import * as Steps from "./steps/Steps.ts"

const isAll = process.env.PAY_TEST === "all"
/** `npm test` runs fewer, and leaves what they cover to `npm run test:all`. */
const isMost = process.env.PAY_TEST === "most"
const targetPayments = isAll ? 10_000 : isMost ? 150 : 300
/** Runs start until there are enough payments and the coverage below is complete, but no more than these. */
const maxRuns = 60
const steps = 120
/** Seeds whose runs once found a defect. */
const regressionSeeds = isAll ? [5, 12, 38] : []
/** Seeds whose runs reach together what the coverage needs, and take little time. If it is not complete, others follow. */
const rareSeeds = isMost ? [] : [5, 15, 25, 37, 40]
/** The seed of a run with restores. Those of the other chosen seeds have none. */
const restoreSeed = 3
const numbered = Array.from({ length: maxRuns }, (_, index) => index + 1)
const chosenSeeds = [...new Set([...regressionSeeds, ...rareSeeds, restoreSeed])]
const seeds = [...new Set([...chosenSeeds, ...numbered])]
/** In concurrent runs, merchants often start many payments at once and request their status seldom. Their seeds are above this one. */
const lastOrdinarySeed = 100
const concurrentRun = { maxConcurrent: 400, frequentFault: "burst", plain: "memory", polls: "seldom" } as const
/** The payments of all concurrent runs. The runs that complete the coverage create the others. */
const concurrentPayments = isAll ? targetPayments - 700 : 80
/** A concurrent run ends after so many payments, so that two threads share the work. */
const maxPaymentsOfRun = Math.ceil(concurrentPayments / (isAll ? 4 : 2))
const hourMs = 3_600_000

describe("simulated payments", () => {
  const results: Array<Pool.Done> = []
  const counts: Record<string, number> = {}

  const operations = () => {
    const answered = new Set(results.flatMap(({ result }) => [...result.answered]))
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
    payments >= targetPayments &&
    (isMost || [operations(), flows(), stepNames()].every((missing) => missing.length === 0))

  beforeAll(async () => {
    const startedMs = performance.now()
    let [runs, concurrentRuns, payments, pendingPayments, pendingRuns] = [0, 0, 0, 0, 0]
    const next = () => {
      const left = concurrentPayments - payments - pendingPayments
      if (left > 0) {
        const maxPayments = Math.min(left, maxPaymentsOfRun)
        concurrentRuns += 1
        pendingPayments += maxPayments
        return { ...concurrentRun, maxPayments, seed: lastOrdinarySeed + concurrentRuns, steps, wantsLines: true }
      }
      // What the chosen seeds cover is known when their runs have ended.
      if (runs >= chosenSeeds.length && pendingRuns > 0) return undefined
      const seed = isEnough(payments + pendingPayments) ? undefined : seeds[runs]
      if (seed === undefined) return undefined
      runs += 1
      pendingRuns += 1
      return { seed, steps, wantsLines: true, ...(runs > chosenSeeds.length ? {} : { restores: seed === restoreSeed }) }
    }
    const onDone = (each: Pool.Done) => {
      results.push(each)
      payments += each.result.payments
      pendingPayments -= each.task.maxPayments ?? 0
      pendingRuns -= each.task.maxPayments === undefined ? 1 : 0
      for (const [name, count] of Object.entries(each.result.counts)) counts[name] = (counts[name] ?? 0) + count
    }
    while (runs < seeds.length && !isEnough(payments)) await Pool.run(next, onDone)
    console.log(
      `${payments} payments of ${results.length} runs in ${Math.round((performance.now() - startedMs) / 1000)} s`
    )
  }, hourMs)

  it("pass every check of the simulation", () => {
    for (const { result, task } of results)
      assert.deepStrictEqual(result.problems, [], `seed ${task.seed}\n${result.lines.slice(-200).join("\n")}`)
  })

  it("call every operation of the contract successfully", () => {
    assert.deepStrictEqual(operations(), [])
  })

  it("run every flow, and every program that is composed of flows", () => {
    assert.deepStrictEqual(flows(), [])
  })

  it("meet every step of the table except faults of files, which have tests of their own", () => {
    assert.deepStrictEqual(stepNames(), [])
  })

  it("succeed at least once for every merchant, at our gateway and at the stub gateway", () => {
    const logins = Object.values(Account).flatMap((exported) =>
      typeof exported === "object" && "login" in exported ? exported.login : []
    )
    const missing = logins.filter(
      (login) =>
        !results.some(({ result }) =>
          result.lines.some((line) => line.includes(` ${login}'s `) && line.endsWith(" ends Succeeded"))
        )
    )
    assert.isAtLeast(logins.length, 3)
    assert.deepStrictEqual(missing, [])
  })
})
