/** Measures a sandbox for a single test: opened, with one sale, closed. Prints the results without a limit. */
import * as Sandbox from "@pay/sandbox/Sandbox"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as PayClient from "@pay/transport/PayClient"
import { Effect } from "effect"
import * as Measure from "./Measure.ts"

const worlds = 50
const aimMs = 50
const { SALE } = PayApi.operations

const sale = Effect.gen(function* () {
  const pay = yield* PayClient.PayClient
  yield* pay.sale(yield* Effect.fromResult(SALE.decodeFields(Sample.request(SALE))))
  yield* Sandbox.settled
})

const millisOf = async (program: Effect.Effect<void>): Promise<number> => {
  const begun = Measure.wallMicros()
  await Effect.runPromise(program)
  return (Measure.wallMicros() - begun) / 1000
}

const opened = Effect.provide(Effect.void, Sandbox.layer()).pipe(Effect.orDie)
const sold = Effect.provide(sale, Sandbox.layer()).pipe(Effect.orDie)

const times = async (program: Effect.Effect<void>): Promise<ReadonlyArray<number>> => {
  const all: Array<number> = []
  while (all.length < worlds) all.push(await millisOf(program))
  return all
}

/** Measures the first sandbox, for which only the modules are loaded, and the median of the later ones. */
const row = async (id: string, measure: string, program: Effect.Effect<void>): Promise<Measure.Row> => {
  const [first = Number.NaN, ...later] = await times(program)
  const usual = Measure.median(later)
  return Measure.noted({
    id,
    measure,
    ours: `${usual.toFixed(1)} ms (the first ${first.toFixed(1)} ms)`,
    baseline: `${aimMs} ms`,
    ratio: usual / aimMs,
    aim: "≤ 1"
  })
}

const benchmark: Measure.Benchmark = {
  id: "T",
  title: "A gateway for a test",
  run: async () => [
    await row("T1", "a sandbox opened and closed", opened),
    await row("T2", "a sandbox opened, one sale, closed", sold)
  ]
}
export default benchmark

if (import.meta.main) await Measure.main(benchmark)
