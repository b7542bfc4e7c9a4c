/**
 * A merchant whose process dies, again and again, beside a gateway that lives: each life has a durable engine of its own, and
 * of the one before nothing but the file, as it stood at the moment of death. What a dead one still does reaches nobody.
 */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { CustomerBrowser } from "@pay/flows/CustomerBrowser"
import * as Durable from "@pay/flows/durable"
import * as Client from "@pay/transport/PayClient"
import { PayClient } from "@pay/transport/PayClient"
import { Context, Deferred, Effect, Exit, Layer, Scope } from "effect"
import type { PreparedRun } from "./Begun.ts"

/** Before a request or an action of the browser goes out; when it is done and not yet recorded; while the flow waits and nothing runs. */
type Moment = "before" | "after" | "waiting"

/** Whether this life ends now, after so many things that were done and recorded in it. */
export type Death = (life: number, moment: Moment, done: number) => boolean

/**
 * At every step of the flow, three times: with the request made and no record of it; with the record made and nothing after it;
 * with whatever is next not yet begun. A step may look before it sends: every other round lets one thing more be done.
 */
const everywhere: Death = (life, moment, done) => {
  const more = Math.floor(life / 3) % 2
  return (
    [moment === "after" && done === more, moment !== "after" && done > more, moment === "before"][life % 3] === true
  )
}

/** Nothing was sent, and whoever takes over knows only that something may have been. */
const atOnce: Death = (life, moment) => life === 0 && moment === "before"

export const deaths = { everywhere, atOnce }

const mostLives = 100

const dead = "dead"

/** In memory where there is a folder of it: no power fails here, and waiting for a disk is what would take the time. */
const temporary = existsSync("/dev/shm") ? "/dev/shm" : tmpdir()

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(temporary, "pay-lives-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

/** What the disk keeps of a killed process: the database and its log. */
const leave = (path: string, next: string): void => {
  for (const part of ["", "-wal"]) if (existsSync(path + part)) copyFileSync(path + part, next + part)
}

/** The process that lives now. */
export interface Alive {
  /** What it does at its start: its callback address opens. */
  readonly open: Effect.Effect<void, never, PayClient>
  /** Its callback address closes. */
  readonly shut: Effect.Effect<void>
  /** Completes when nothing runs in it, or it is dead. */
  rest: Effect.Effect<void>
}

interface Life {
  readonly life: number
  readonly begins: boolean
  readonly death: Death
  readonly path: string
  /** The path of the database for the next process. */
  readonly next: string
}

const live = Effect.fnUntraced(function* (
  { ended, engine, start }: PreparedRun,
  alive: Alive,
  { begins, death, life, next, path }: Life
) {
  const died = Deferred.makeUnsafe<void>()
  const over = Deferred.makeUnsafe<void>()
  let isDead = false
  let done = 0
  const reach = (moment: Moment) =>
    Effect.sync(() => {
      if (isDead || !death(life, moment, done)) return
      isDead = true
      leave(path, next)
      Deferred.doneUnsafe(died, Effect.void)
    })
  const unlessDead = Effect.suspend(() => (isDead ? Effect.never : Effect.void))
  const outside = <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      yield* Effect.andThen(reach("before"), unlessDead)
      const exit = yield* Effect.exit(work)
      yield* Effect.andThen(reach("after"), unlessDead)
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
      const context = yield* Layer.buildWithScope(Layer.fresh(Layer.provide(engine(path), shop)), scope)
      const { settled, waiting } = Context.get(context, Durable.Durable)
      const settledAndWaiting = Effect.gen(function* () {
        yield* settled
        const entries = yield* Effect.orDie(waiting({ state: "waiting", limit: 1 }))
        if (entries.length > 0) yield* reach("waiting")
      })
      alive.rest = Effect.raceFirst(settledAndWaiting, Deferred.await(over))
      yield* Effect.provideContext(alive.open, context)
      const whole = begins ? Effect.andThen(start, ended) : ended
      return yield* Effect.raceFirst(Effect.provideContext(whole, context), Effect.as(Deferred.await(died), dead))
    }),
    Effect.fnUntraced(function* (scope) {
      Deferred.doneUnsafe(over, Effect.void)
      yield* alive.shut
      yield* Scope.close(scope, Exit.void)
    })
  )
})

/** One life more, that begins the flow anew and does not end before it. `look`: is called at each moment. */
export const anew = (begun: PreparedRun, alive: Alive, path: string, look: () => void = () => {}) => {
  const death: Death = () => {
    look()
    return false
  }
  return live(begun, alive, { begins: true, death, life: 0, next: path, path })
}

/** Lives until one comes to the end of the flow: how it ended there. */
export const lives = Effect.fnUntraced(function* (begun: PreparedRun, alive: Alive, death: Death) {
  const files = yield* folder
  for (let life = 0; life < mostLives; life += 1) {
    const [path, next] = [join(files, `${life}.db`), join(files, `${life + 1}.db`)]
    const ended = yield* live(begun, alive, { begins: life === 0, death, life, next, path })
    if (ended === dead) rmSync(path)
    else return { ended, deaths: life, path }
  }
  return yield* Effect.die(new Error(`no end in ${mostLives} lives`))
})
