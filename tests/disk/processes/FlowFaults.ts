/**
 * Flows on files whose disk fails at each moment, and then works again: `node FlowFaults.ts FOLDER FAULT`. FAULT is a kind of disk.c,
 * or `vanished`: the folder of the files goes away. Prints one line for each moment: what the caller got, what became of the flow
 * after the disk worked again, and how often its step was executed.
 */
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Durable from "@pay/flows/durable"
import * as WebFile from "@pay/flows/durable/WebFile"
import * as Flow from "@pay/flows/Flow"
import { FlowEngine } from "@pay/flows/FlowEngine"
import * as Steps from "@pay/flows/Steps"
import { Context, Effect, Exit, Layer, Logger, Schema, Scope } from "effect"

const [, , folder = "", fault = ""] = process.argv
const inFolder = join(folder, "here")
const faultFile = `${process.env.PAY_DISK_FAULT}.${fault}`

const fail = Effect.sync(() => {
  if (fault === "vanished") renameSync(inFolder, `${inFolder}.away`)
  else writeFileSync(faultFile, "")
})
const mend = Effect.sync(() => {
  if (existsSync(`${inFolder}.away`)) renameSync(`${inFolder}.away`, inFolder)
  rmSync(faultFile, { force: true })
})

/** Calls again after the disk works again. The first call may get the failure of a sync that has run in the background. */
const again = Effect.retry({ times: 3 })

const executions = new Map<string, number>()
const failed = new Set<string>()

/** Makes the disk fail when the first run of the flow comes to this moment. */
const failAt = (id: string, moment: string) =>
  Effect.suspend(() => {
    if (id !== moment || failed.has(id)) return Effect.void
    failed.add(id)
    return fail
  })

const schemas = { success: Schema.String, error: Schema.Never }

const Trip = Flow.make({
  name: "Trip",
  summary: "For this test.",
  payload: Schema.Struct({ id: Schema.String }),
  success: Schema.String,
  error: Schema.Never,
  idempotencyKey: ({ id }) => id,
  run: Effect.fnUntraced(function* ({ id }) {
    const book = Effect.suspend(() => {
      executions.set(id, (executions.get(id) ?? 0) + 1)
      return Effect.as(failAt(id, "step"), "booked")
    })
    const booked = yield* Steps.step("book", schemas, book)
    yield* failAt(id, "sleep")
    yield* Steps.sleep("pause", "1 millis")
    yield* failAt(id, "wait")
    if (waitsFor.has(id)) yield* Steps.awaitSignal("news", { key: `news:${id}`, timeout: "1 hour" })
    yield* failAt(id, "end")
    return booked
  })
})

/** The flows that wait for a signal until they are told to go on. */
const waitsFor = new Set(["wait", "signal", "interrupt", "close"])

const print = (...words: ReadonlyArray<unknown>) => process.stdout.write(`${words.join(" | ")}\n`)

/** Describes an error that a caller got: its tag, whether it is retryable, and whether it names the file. */
const described = (
  exit: Exit.Exit<unknown, { readonly _tag: string; readonly message: string; readonly retryable?: boolean }>
) => {
  if (Exit.isSuccess(exit)) return "nothing"
  const reason = exit.cause.reasons[0]
  if (reason?._tag !== "Fail") return `a defect: ${exit.cause}`
  const { _tag, message, retryable } = reason.error
  return [_tag, retryable === true ? "retryable" : "", message.includes(inFolder) ? "names the file" : message].join(
    " "
  )
}

const path = join(inFolder, "flows.db")
/** The engine does not try again by itself during the test: the next caller makes it do so. */
const open = Layer.provideMerge(Trip.layer, Durable.layer({ path, tickMs: 3_600_000 }))

const moments = Effect.gen(function* () {
  const engine = yield* FlowEngine
  const start = (id: string) =>
    Effect.andThen(
      again(Trip.start({ id })),
      Effect.repeat(Effect.orDie(Trip.poll(id)), { until: ({ _tag }) => _tag === "Waiting" })
    )
  for (const moment of ["begin", "step", "sleep", "wait", "end"]) {
    if (moment === "begin") yield* fail
    const got = described(yield* Effect.exit(Trip.execute({ id: moment })))
    yield* mend
    yield* again(engine.signal(`news:${moment}`))
    const result = yield* again(Trip.execute({ id: moment }))
    print(moment, got, result, executions.get(moment))
  }
  yield* start("signal")
  yield* fail
  const signalled = described(yield* Effect.exit(engine.signal("news:signal")))
  yield* mend
  yield* again(engine.signal("news:signal"))
  print("signal", signalled, yield* again(Trip.execute({ id: "signal" })), executions.get("signal"))
  yield* start("interrupt")
  yield* fail
  const interrupted = described(yield* Effect.exit(Trip.interrupt("interrupt")))
  yield* mend
  yield* again(Trip.interrupt("interrupt"))
  print("interrupt", interrupted, (yield* again(Trip.ended("interrupt")))._tag, executions.get("interrupt"))
  yield* start("close")
  yield* fail
})

const stores = Effect.gen(function* () {
  const { callbacks, visits } = yield* WebFile.open({ path: join(inFolder, "web.db") })
  yield* fail
  const early = described(yield* Effect.exit(callbacks.addEarly({ clientOrderId: "1", webhookId: "w" })))
  const visit = described(
    yield* Effect.exit(
      visits.put({ clientOrderId: "1", orderId: "1", nextAction: { _tag: "Redirect", url: "https://shop.example" } })
    )
  )
  yield* mend
  yield* again(callbacks.addEarly({ clientOrderId: "1", webhookId: "w" }))
  print("callback", early, (yield* callbacks.earlyCallbacks).length)
  print("visit", visit)
})

const main = Effect.gen(function* () {
  const scope = yield* Scope.make()
  const context = yield* Layer.buildWithScope(open, scope)
  yield* Effect.provide(moments, context)
  const closed = yield* Effect.exit(Scope.close(scope, Exit.void))
  yield* mend
  const next = yield* Layer.build(open)
  yield* Context.get(next, FlowEngine).signal("news:close")
  print(
    "close",
    Exit.isSuccess(closed) ? "nothing" : closed.cause,
    yield* Effect.provide(Trip.execute({ id: "close" }), next),
    executions.get("close")
  )
  yield* stores
})

process.on("unhandledRejection", (error) => print("an unhandled rejection", error))
await Effect.runPromise(Effect.scoped(main).pipe(Effect.provide(Logger.layer([]))))
