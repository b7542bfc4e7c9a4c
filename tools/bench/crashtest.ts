/** Measures how many payments a second a crash test drives against a fast shop, in its own processor time and on the wall. */
import { Effect } from "effect"
import * as ExampleRun from "../crashtest/scripts/ExampleRun.ts"
import * as ExampleShops from "../crashtest/scripts/ExampleShops.ts"
import * as Measure from "./Measure.ts"

/** Faults after which neither the shop nor the crash test waits for long. */
const quick = ["lostAnswer", "errorAfter", "cutAnswer", "htmlAfter", "tooMany", "repeatedRequest"] as const
const payments = 1000
const seed = 7
const aimASecond = 50
const aimSeconds = 120

const fast = ExampleShops.careful.filter(({ name }) => name === "fastify")

const millis = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1000
}

const measured = async (options: ExampleRun.Options, shop: ExampleShops.ExampleShop) => {
  const [begunMicros, begunMillis] = [Measure.wallMicros(), millis()]
  const { findings } = await Effect.runPromise(ExampleRun.run(shop, options))
  return {
    differences: findings.map(({ difference }) => difference),
    ownSeconds: (millis() - begunMillis) / 1000,
    seconds: (Measure.wallMicros() - begunMicros) / 1e6
  }
}

const aSecond = (seconds: number): number => payments / seconds

const rows = async (shop: ExampleShops.ExampleShop): Promise<ReadonlyArray<Measure.Row>> => {
  const light = await measured({ payments, seed, kinds: [...quick] }, shop)
  const all = await measured({ payments, seed }, shop)
  const differences = [...light.differences, ...all.differences]
  return [
    Measure.row({
      id: "C1",
      measure:
        "payments of a crash test for each second of its own processor time, sandbox included, with faults that wait for nothing",
      ours: `${aSecond(light.ownSeconds).toFixed(0)}/s`,
      baseline: `${aimASecond}/s`,
      ratio: aSecond(light.ownSeconds) / aimASecond,
      limit: { atLeast: 1, aim: 2 }
    }),
    Measure.noted({
      id: "C2",
      measure: "the same payments a second on the wall, with the example on Fastify in another process",
      ours: `${aSecond(light.seconds).toFixed(0)}/s`,
      baseline: `${aimASecond}/s`,
      ratio: aSecond(light.seconds) / aimASecond,
      aim: "≥ 1"
    }),
    Measure.noted({
      id: "C3",
      measure: `${payments} payments with faults of all kinds, on the wall`,
      ours: `${all.seconds.toFixed(0)} s (${all.ownSeconds.toFixed(0)} s of its own processor time)`,
      baseline: `${aimSeconds} s`,
      ratio: all.seconds / aimSeconds,
      aim: "≤ 1"
    }),
    Measure.row({
      id: "C4",
      measure: "findings against the careful shop in both runs",
      ours: differences.join(" ") || "none",
      baseline: "none",
      ratio: differences.length,
      limit: { atMost: 0, aim: 0 }
    })
  ]
}

const benchmark: Measure.Benchmark = {
  id: "C",
  title: "A crash test of a fast shop",
  run: async () => (await Promise.all(fast.map(rows))).flat()
}
export default benchmark

if (import.meta.main) await Measure.main(benchmark)
