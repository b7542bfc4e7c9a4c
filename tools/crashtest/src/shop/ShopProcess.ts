/** The process of a shop: started, killed with everything that it started, and started again. Nothing of it remains at the end. */
import { Clock, Deferred, Effect, Latch, Scope } from "effect"
import * as PortLock from "../process/PortLock.ts"
import * as ProcessTable from "../process/ProcessTable.ts"
import * as Programs from "../process/Programs.ts"
import type * as CardNumbers from "./CardNumbers.ts"
import * as ListeningProbe from "./ListeningProbe.ts"
import { ShopFailed } from "./Shop.ts"
import { ShopOutput } from "./ShopOutput.ts"

export interface Options {
  readonly command: ReadonlyArray<string>
  readonly place: Programs.Place
  /** The address at which it listens. */
  readonly url: URL
  /** The path that is answered below 500 when it is ready. */
  readonly ready: string
  readonly startMs: number
  /** The card data to look for in its output. */
  readonly cardData: CardNumbers.CardData
  /** What makes its processes known among all others. */
  readonly id: string
}

export interface ShopProcess {
  readonly start: Effect.Effect<void, ShopFailed>
  readonly kill: Effect.Effect<void>
  /** Open while the shop runs. */
  readonly isUp: Latch.Latch
  readonly programs: Programs.Programs
  readonly output: ShopOutput
  /** False after it ended by itself. */
  readonly isAlive: Effect.Effect<boolean>
  /** The last lines that it printed, masked, and how it ended. */
  readonly lastLines: Effect.Effect<string>
}

const pollMs = 20
/** How often it is looked for a daemon after the program that started it: for a second. */
const daemonTurns = 50
/** How long its port may stay taken after it was killed, in milliseconds. */
const longestReleaseMs = 10_000
/** How long it may take to end by itself at the end, in milliseconds. */
const longestEndMs = 2000
const shownLines = 20

const seconds = (ms: number) => `${ms / 1000} ${ms === 1000 ? "second" : "seconds"}`

const fail = (output: ShopOutput, message: string) => new ShopFailed({ message, output: output.last(shownLines) })

const exited = (code: number) => `exited with code ${code}`
const endedWell = exited(0)
const inForeground = " If it gives the shop to a service, as Docker or a manager of processes: start the shop itself."

/** Waits until nobody listens on the port. */
const released = Effect.fnUntraced(function* (url: URL) {
  const beganMs = yield* Clock.currentTimeMillis
  while ((yield* ListeningProbe.listener(url)) !== undefined) {
    if ((yield* Clock.currentTimeMillis) - beganMs > longestReleaseMs) return
    yield* Effect.sleep(pollMs)
  }
})

/** Says where the shop listens, if that is elsewhere. */
const elsewhere = Effect.fnUntraced(function* (url: URL, programs: Programs.Programs) {
  const listener = yield* ListeningProbe.listener(url)
  if (listener !== undefined && listener.hostname !== url.hostname)
    return ` It listens at ${listener.origin}: write "url": "${listener.origin}".`
  const ports = ProcessTable.portsOf(programs.family()).filter((port) => port !== ListeningProbe.portOf(url))
  return ports.length === 0 ? "" : ` It listens on port ${ports.join(", ")}: is "url" right?`
})

const busy = (url: URL) =>
  `Another crash test has port ${ListeningProbe.portOf(url)} now. Wait for its end, or let each have a port of its own: "url": "${url.protocol}//${url.hostname}:{port}".`

/** Says which other program listens at the shop's port, if one does. */
const takenBy = Effect.fnUntraced(function* (url: URL) {
  const other = yield* ListeningProbe.listener(url)
  if (other === undefined) return undefined
  const owner = ProcessTable.nameOfListener(ListeningProbe.portOf(url))
  const who = owner === undefined ? "" : `: ${owner}`
  return `Something else listens at ${other.origin} already${who}. End it, or give the shop another port.`
})

/** One start of the shop, until it is killed. */
interface Running {
  /** How it ended, in words. Undefined while it runs. */
  end: string | undefined
  /** When it began, in ticks since the start of the machine. */
  readonly begunTicks: number
  /** Whether it began at all. */
  hasBegun: boolean
  readonly ended: Deferred.Deferred<void>
}

/** Makes the process of a shop that does not run yet. */
export const make = Effect.fnUntraced(function* (options: Options) {
  const { command, cardData, place, ready, startMs, url } = options
  const programs = yield* Programs.scoped(place, options.id)
  const output = new ShopOutput(cardData)
  const isUp = yield* Latch.make(false)
  let running: Running | undefined
  const name = command.join(" ")
  const port = ListeningProbe.portOf(url)

  const isThere = ({ end }: Running): boolean => end === undefined || programs.family().length > 0

  /**
   * A daemon that has left its parent and cleared its environment is known by the port, on which nobody listened before, and by its age.
   * Returns whether the family has the port.
   */
  const adoptListener = ({ begunTicks }: Running): boolean => {
    if (ProcessTable.portsOf(programs.family()).includes(port)) return true
    const pid = ProcessTable.listenerOn(port)
    if (pid === undefined || ProcessTable.begunTicks(pid) < begunTicks) return false
    programs.adopt(pid)
    return true
  }

  const spawn = (): Running => {
    const child = programs.spawn(command, () => output.stream())
    const begunTicks = ProcessTable.begunTicks(child.pid ?? 0)
    const now: Running = { end: undefined, begunTicks, hasBegun: true, ended: Deferred.makeUnsafe() }
    const over = (end: string) => {
      if (now.end !== undefined) return
      now.end = end
      Deferred.doneUnsafe(now.ended, Effect.void)
      // A program that leaves its server in the background has ended well.
      if (!isThere(now)) isUp.closeUnsafe()
    }
    child.on("error", (error) => {
      now.hasBegun = child.pid !== undefined
      over(Programs.startProblem(command[0] ?? "", error))
    })
    child.on("exit", (code, signal) => over(code === null ? `was ended by ${signal}` : exited(code)))
    return now
  }

  /** Gives a program that has ended well a moment in which what it left behind begins to listen. */
  const awaitDaemon = Effect.fnUntraced(function* (now: Running) {
    if (now.end !== endedWell) return false
    for (let turn = 0; turn < daemonTurns; turn += 1) {
      if ((yield* ListeningProbe.listens(url)) && adoptListener(now)) return true
      yield* Effect.sleep(pollMs)
    }
    return false
  })

  const untilReady = Effect.fnUntraced(function* (now: Running) {
    const endMs = (yield* Clock.currentTimeMillis) + startMs
    let last = { text: "it does not listen", isAnswer: false }
    for (;;) {
      const leftMs = endMs - (yield* Clock.currentTimeMillis)
      const sight = yield* ListeningProbe.look(url, ready, leftMs)
      if (!isThere(now) && !(yield* awaitDaemon(now)))
        return yield* fail(
          output,
          now.hasBegun
            ? `"${name}" ${now.end} before it listened at ${url.origin}.${now.end === endedWell ? inForeground : ""}`
            : `The shop cannot be started: ${now.end}.`
        )
      if (sight._tag === "Ready") return void adoptListener(now)
      if (sight._tag === "Wrong") return yield* fail(output, sight.text)
      // The last request may lack time only because the time is over.
      if (sight.isAnswer || !last.isAnswer) last = sight
      if ((yield* Clock.currentTimeMillis) > endMs) {
        const other = yield* elsewhere(url, programs)
        return yield* fail(
          output,
          `The shop is not ready at ${url.origin} after ${seconds(startMs)}: ${last.text}.${other}`
        )
      }
      yield* Effect.sleep(pollMs)
    }
  })

  const kill = Effect.gen(function* () {
    isUp.closeUnsafe()
    yield* programs.killAll
    if (running !== undefined) yield* released(url)
    running = undefined
    output.closed()
  }).pipe(Effect.uninterruptible)

  const scope = yield* Effect.scope
  const isOurs = yield* Effect.cached(Scope.provide(PortLock.take(port), scope))

  const start = Effect.gen(function* () {
    if (running !== undefined) yield* kill
    const words = (yield* isOurs) ? yield* takenBy(url) : busy(url)
    if (words !== undefined) return yield* fail(output, words)
    running = spawn()
    yield* Effect.onError(untilReady(running), () => kill)
    isUp.openUnsafe()
  })

  /** Asks it to end, and kills what is left. */
  const end = Effect.gen(function* () {
    if (running !== undefined) {
      programs.ask("SIGTERM")
      yield* Effect.timeoutOption(Deferred.await(running.ended), longestEndMs)
    }
    yield* kill
  })

  yield* Effect.addFinalizer(() => end)
  // While it is killed and started again on purpose, it has not ended by itself.
  const isAlive = Effect.sync(() => running === undefined || isThere(running))
  const lastLines = Effect.sync(() => {
    const how = running?.end === undefined ? [] : [`The shop ${running.end}.`]
    return [output.last(shownLines), ...how].filter((text) => text !== "").join("\n")
  })
  return { start, kill, isUp, programs, output, isAlive, lastLines } satisfies ShopProcess
})
