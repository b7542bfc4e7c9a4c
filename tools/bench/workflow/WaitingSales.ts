/**
 * Starts durable card sales whose bank is slow, as a process, and reports the memory of a waiting sale. A second process, which
 * starts after the wait, reports the time until all sales have their outcome. Needs `--expose-gc`.
 */
import { CardSale } from "@pay/flows/CardPayment"
import { FlowEngine } from "@pay/flows/FlowEngine"
import { Clock, Effect } from "effect"
import * as Process from "./Process.ts"
import * as Sales from "./Sales.ts"

export interface Message {
  readonly heapBytesEach: number
  /** Milliseconds since the process was created, including its start. */
  readonly wallMs: number
  readonly cpuMs: number
  /** Number of sales that have ended. */
  readonly ended: number
}

const [, , directory = "", countText = "0", which = "first"] = process.argv
const count = Number(countText)
const isFirst = which === "first"
/** The clock of the first process does not move, so that all sales wait. The clock of the second process is past every wait. */
const nowMs = 1_800_000_000_000 + (isFirst ? 0 : 7_200_000)

const turns = Array.from({ length: count }, (_, at) => at)

const program = Effect.gen(function* () {
  const durable = yield* FlowEngine
  const before = yield* Process.heapBytes
  if (isFirst)
    yield* Effect.forEach(turns, (turn) => CardSale.start(Sales.payload(turn)), {
      concurrency: 64,
      discard: true
    })
  yield* durable.settled
  const { system, user } = process.cpuUsage()
  const wallMs = performance.now()
  const open = yield* durable.list({ state: "waiting", limit: count })
  const message: Message = {
    heapBytesEach: ((yield* Process.heapBytes) - before) / count,
    wallMs,
    cpuMs: (user + system) / 1000,
    ended: count - open.length
  }
  console.log(JSON.stringify(message))
})

Sales.orderAnswer.status = isFirst ? "processing" : "approved"

await Effect.runPromise(
  program.pipe(
    Effect.provide(Sales.durableLayer(directory)),
    Effect.provideService(
      Clock.Clock,
      Process.clockAt(() => nowMs)
    )
  )
)
