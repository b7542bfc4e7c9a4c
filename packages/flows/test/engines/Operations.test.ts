/** Each engine shows executions and lets operators act on them, in the same way. */
import { assert } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber } from "effect"
import { FlowEngine, type OpenExecution } from "../../src/engine/FlowEngine.ts"
import { Charge, kinds, plan, requests, World } from "./Charge.ts"
import { ended, fork, id, idsOf, often, onEachEngine, type Program, signal, tagOf, until, waiting } from "./Contract.ts"

/** Sends the signals of many flows, each some turns of the process later than the one before. */
const signalled = (count: number): Program =>
  Effect.gen(function* () {
    const engine = yield* FlowEngine
    const ids = Array.from({ length: count }, (_, at) => `many-${at}`)
    const value = "x".repeat(10_000)
    yield* fork(Effect.forEach(ids, (one) => Charge.start({ id: one, waits: "signal" }), { concurrency: "unbounded" }))
    yield* Effect.forEach(ids, (one) => Effect.andThen(Effect.yieldNow, engine.signal(`news:${one}`, value)))
    for (const one of ids) {
      yield* Effect.repeat(tagOf(Charge.poll(one)), { schedule: often, until: (tag) => tag !== "NotStarted" })
      assert.deepStrictEqual(yield* Charge.ended(one), ended(value))
    }
    assert.strictEqual((yield* requests).length, count)
  })

onEachEngine("operations", {
  "says that nothing was started under an identity, and starts nothing": Effect.gen(function* () {
    const engine = yield* FlowEngine
    assert.strictEqual(yield* tagOf(Charge.poll(id)), "NotStarted")
    assert.strictEqual(yield* tagOf(Charge.ended(id)), "NotStarted")
    yield* Charge.interrupt(id)
    yield* Charge.resume(id)
    assert.strictEqual(yield* tagOf(Charge.poll(id)), "NotStarted")
    for (const state of ["running", "waiting", "stuck"] as const) assert.deepStrictEqual(yield* idsOf(state), [])
    assert.deepInclude({ ...engine.statistics }, { runs: 0, steps: 0 })
    assert.deepStrictEqual(yield* requests, [])
  }),

  "shows an execution that is in a step as running": Effect.gen(function* () {
    yield* plan("never")
    assert.strictEqual(yield* Charge.start({ id }), `Charge/${id}`)
    const { isStuck } = yield* World
    yield* Deferred.await(isStuck)
    assert.deepStrictEqual(yield* Charge.poll(id), { _tag: "Running" })
    assert.deepStrictEqual(yield* idsOf("running"), [`Charge/${id}`])
    yield* Charge.resume(id)
    assert.deepStrictEqual(yield* Charge.poll(id), { _tag: "Running" })
    assert.strictEqual(yield* kinds, "send")
  }),

  "shows what a waiting execution waits for, and resume leaves it alone": Effect.gen(function* () {
    const engine = yield* FlowEngine
    assert.strictEqual(yield* Charge.start(waiting), `Charge/${id}`)
    const status = yield* until("Waiting")
    const waits = status._tag === "Waiting" ? status.waits : []
    assert.deepStrictEqual(
      waits.map(({ key }) => key),
      [`news:${id}`]
    )
    const [execution] = yield* engine.list({ state: "waiting", limit: 10 })
    assert.deepInclude(execution, { id: `Charge/${id}`, flow: "Charge", waits })
    yield* engine.settled
    const { runs } = engine.statistics
    yield* Charge.resume(id)
    assert.strictEqual((yield* Charge.poll(id))._tag, "Waiting")
    assert.strictEqual(engine.statistics.runs, runs)
    yield* signal
    assert.deepStrictEqual(yield* Charge.ended(id), ended("good"))
    assert.deepStrictEqual(yield* idsOf("waiting"), [])
    yield* Charge.interrupt(id)
    yield* Charge.resume(id)
    assert.deepStrictEqual(yield* Charge.poll(id), ended("good"))
    assert.strictEqual(engine.statistics.steps, 1)
  }),

  "shows why an execution is stuck, and resumes it once for two calls": Effect.gen(function* () {
    const engine = yield* FlowEngine
    yield* plan("a bug")
    const exit = yield* Effect.exit(Charge.execute({ id }))
    assert.include(Exit.isFailure(exit) ? String(Cause.squash(exit.cause)) : "", `Charge/${id} is stuck: `)
    const status = yield* Charge.ended(id)
    assert.include(status._tag === "Stuck" ? status.on : "", "a bug")
    const [stuck] = yield* engine.list({ state: "stuck", limit: 10 })
    assert.deepInclude(stuck, { id: `Charge/${id}`, flow: "Charge" })
    assert.include(stuck?.stuckOn, "a bug")
    assert.isTrue(Exit.hasDies(yield* Effect.exit(Charge.execute({ id }))))
    yield* Effect.all([Charge.resume(id), Charge.resume(id)], { concurrency: 2 })
    yield* Effect.repeat(Charge.poll(id), {
      schedule: often,
      until: ({ _tag }) => _tag !== "Stuck"
    })
    assert.deepStrictEqual(yield* Charge.ended(id), ended("done"))
    assert.strictEqual(yield* Charge.execute({ id }), "done")
    assert.strictEqual((yield* requests).length, 2)
    assert.deepStrictEqual(yield* idsOf("stuck"), [])
  }),

  "interrupts a stuck execution": Effect.gen(function* () {
    yield* plan("a bug")
    yield* Charge.start({ id })
    yield* until("Stuck")
    yield* Charge.interrupt(id)
    yield* until("Interrupted")
    assert.deepStrictEqual(yield* idsOf("stuck"), [])
    assert.strictEqual(yield* Charge.execute({ id }), "done")
  }),

  "runs the finalizers of an execution that is interrupted while it waits, once": Effect.gen(function* () {
    const { finalized } = yield* World
    for (const waits of ["signal", "clock"] as const) {
      yield* Charge.start({ id: waits, waits })
      yield* until("Waiting", waits)
      yield* Charge.interrupt(waits)
      yield* until("Interrupted", waits)
      assert.deepStrictEqual(yield* Charge.ended(waits), { _tag: "Interrupted" })
      assert.deepStrictEqual(finalized.splice(0), [`${waits} Failure`, `release ${waits}`])
      yield* Charge.resume(waits)
      yield* Charge.interrupt(waits)
      assert.deepStrictEqual(yield* Charge.poll(waits), { _tag: "Interrupted" })
    }
    assert.deepStrictEqual(yield* requests, [])
  }),

  "lists executions page by page, the longest unchanged first": Effect.gen(function* () {
    const engine = yield* FlowEngine
    const ids = ["a", "b", "c", "d", "e"]
    for (const one of ids) {
      yield* Charge.start({ id: one, waits: "signal" })
      yield* until("Waiting", one)
    }
    const listed: Array<string> = []
    let after: OpenExecution | undefined
    do {
      const page: ReadonlyArray<OpenExecution> = yield* engine.list({ state: "waiting", limit: 2, after })
      assert.isAtMost(page.length, 2)
      listed.push(...page.map((execution) => execution.id))
      after = page.at(-1)
    } while (after !== undefined)
    assert.deepStrictEqual(
      listed,
      ids.map((one) => `Charge/${one}`)
    )
  }),

  "wakes each of 20 flows whose signal arrives around their suspension": signalled(20),

  "wakes each of 200 flows whose signal arrives around their suspension": signalled(200),

  "keeps a signal for the flow that will wait for it": Effect.gen(function* () {
    yield* signal
    assert.strictEqual(yield* Charge.execute(waiting), "good")
  }),

  "lets a caller that was interrupted call again": Effect.gen(function* () {
    const gone = yield* fork(Charge.execute(waiting))
    yield* until("Waiting")
    yield* Fiber.interrupt(gone)
    const back = yield* fork(Charge.execute(waiting))
    yield* until("Waiting")
    yield* signal
    assert.strictEqual(yield* Fiber.join(back), "good")
    assert.strictEqual((yield* requests).length, 1)
  }),

  "lets one caller continue when another one was interrupted": Effect.gen(function* () {
    const gone = yield* fork(Charge.execute(waiting))
    yield* until("Waiting")
    const other = yield* fork(Charge.execute(waiting))
    yield* Fiber.interrupt(gone)
    assert.deepStrictEqual(yield* idsOf("waiting"), [`Charge/${id}`])
    yield* signal
    assert.strictEqual(yield* Fiber.join(other), "good")
    assert.strictEqual(yield* kinds, "send")
  }),

  "counts runs and steps, and settles when nothing runs": Effect.gen(function* () {
    const engine = yield* FlowEngine
    yield* Charge.start({ id: "a" })
    yield* Charge.start({ id: "b", waits: "signal" })
    yield* engine.settled
    assert.strictEqual((yield* Charge.poll("b"))._tag, "Waiting")
    assert.deepStrictEqual(yield* Charge.poll("a"), ended("done"))
    assert.deepInclude({ ...engine.statistics }, { runs: 2, steps: 1 })
  })
})
