/**
 * A merchant's process that is killed again and again, beside a gateway that runs on. Each process has its own durable engine, and of
 * the process before it only a copy of the database, taken at the moment of the kill. Requests of a killed process are not sent.
 */
import { copyFileSync, existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { CustomerBrowser } from "@pay/flows/CustomerBrowser"
import { FlowEngine } from "@pay/flows/FlowEngine"
import * as Client from "@pay/transport/PayClient"
import { PayClient } from "@pay/transport/PayClient"
import { Context, Deferred, Effect, Exit, Layer, Scope } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import type { PreparedRun } from "./PreparedRun.ts"

/** Before a request or an action of the browser goes out; when it is done and not yet recorded; while the flow waits and nothing runs. */
type Moment = "before" | "after" | "waiting"

/** Decides whether the process with this number is killed now, after `done` requests were answered and recorded in it. */
export type KillPlan = (process: number, moment: Moment, done: number) => boolean

/**
 * Kills at every step of the flow, three times: after a request and before its record; after the record; before the next request.
 * A step may read a status before it sends a request: every second round lets one more request through. Of two parts at once, one may
 * always act before the record of the other one is written: after 30 processes a further round lets two more through, after 45 three.
 */
const everywhere: KillPlan = (process, moment, done) => {
  const more = Math.floor(process / 3) % Math.max(2, 1 + Math.floor(process / 15))
  return (
    [moment === "after" && done === more, moment !== "after" && done > more, moment === "before"][process % 3] === true
  )
}

/** Kills the first process before its first request. The next process knows only that a request may have been sent. */
const atFirstRequest: KillPlan = (process, moment) => process === 0 && moment === "before"

/** Kills no process. */
const never: KillPlan = () => false

export const killPlans = { everywhere, atFirstRequest, never }

const mostProcesses = 100

const wasKilled = "killed"

/** Copies what the disk keeps of a killed process: the database, its log and its witness. */
const copyDatabase = (path: string, next: string): void => {
  for (const part of ["", "-wal", ".witness"]) if (existsSync(path + part)) copyFileSync(path + part, next + part)
}

/** The process that runs now. */
export interface ProcessHandle {
  /** Runs at the start of a process: its callback address opens. */
  readonly start: Effect.Effect<void, never, FlowEngine | PayClient>
  /** Runs at the end of a process: its callback address closes. */
  readonly close: Effect.Effect<void>
  /** Completes when nothing runs in the process, or it is killed. */
  rest: Effect.Effect<void>
}

interface ProcessRun {
  readonly number: number
  readonly startsFlow: boolean
  readonly killPlan: KillPlan
  readonly path: string
  /** The path of the database for the next process. */
  readonly next: string
}

const runProcess = Effect.fnUntraced(function* (
  { ended, engine, start }: PreparedRun,
  handle: ProcessHandle,
  { killPlan, next, number, path, startsFlow }: ProcessRun
) {
  const killed = Deferred.makeUnsafe<void>()
  const over = Deferred.makeUnsafe<void>()
  let isKilled = false
  let done = 0
  let waitingSinceMs = 0
  const reach = (moment: Moment) =>
    Effect.sync(() => {
      if (isKilled || !killPlan(number, moment, done)) return
      isKilled = true
      copyDatabase(path, next)
      Deferred.doneUnsafe(killed, Effect.void)
    })
  const unlessKilled = Effect.suspend(() => (isKilled ? Effect.never : Effect.void))
  const outside = <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      yield* Effect.andThen(reach("before"), unlessKilled)
      const exit = yield* Effect.exit(work)
      yield* Effect.andThen(reach("after"), unlessKilled)
      done += 1
      return yield* exit
    })
  const customerBrowser = yield* CustomerBrowser
  const shop = Layer.mergeAll(
    Layer.succeed(PayClient, Client.around(yield* PayClient, outside)),
    Layer.succeed(CustomerBrowser, { send: (visit) => outside(customerBrowser.send(visit)) })
  )
  return yield* Effect.acquireUseRelease(
    Scope.make(),
    Effect.fnUntraced(function* (scope) {
      const context = yield* Layer.buildWithScope(Layer.fresh(Layer.provideMerge(engine(path), shop)), scope)
      const { list, settled } = Context.get(context, FlowEngine)
      const settledAndWaiting = Effect.gen(function* () {
        yield* settled
        const entries = yield* Effect.orDie(list({ state: "waiting", limit: 1 }))
        const since = entries[0]?.changedAtMs ?? waitingSinceMs
        if (since === waitingSinceMs) return
        waitingSinceMs = since
        yield* reach("waiting")
      })
      handle.rest = Effect.raceFirst(Deferred.await(over), settledAndWaiting)
      yield* Effect.provideContext(handle.start, context)
      const whole = startsFlow ? Effect.andThen(start, ended) : ended
      return yield* Effect.raceFirst(
        Effect.provideContext(whole, context),
        Effect.as(Deferred.await(killed), wasKilled)
      )
    }),
    Effect.fnUntraced(function* (scope) {
      Deferred.doneUnsafe(over, Effect.void)
      yield* handle.close
      yield* Scope.close(scope, Exit.void)
    })
  )
})

/** Runs one more process, which starts the flow again and is not killed. Calls `look` at each moment. */
export const startAgain = (prepared: PreparedRun, handle: ProcessHandle, path: string, look: () => void = () => {}) => {
  const killPlan: KillPlan = () => {
    look()
    return false
  }
  return runProcess(prepared, handle, { startsFlow: true, killPlan, number: 0, next: path, path })
}

/** Runs processes until one reaches the end of the flow. Returns how it ended, and how many processes were killed. */
export const runUntilEnd = Effect.fnUntraced(function* (
  prepared: PreparedRun,
  handle: ProcessHandle,
  killPlan: KillPlan
) {
  const files = yield* temporaryFolder
  for (let number = 0; number < mostProcesses; number += 1) {
    const [path, next] = [join(files, `${number}.db`), join(files, `${number + 1}.db`)]
    const ended = yield* runProcess(prepared, handle, { startsFlow: number === 0, killPlan, number, next, path })
    if (ended === wasKilled) rmSync(path)
    else return { ended, kills: number, path }
  }
  return yield* Effect.die(new Error(`no end in ${mostProcesses} processes`))
})
