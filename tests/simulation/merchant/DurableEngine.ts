/**
 * Runs the flows of a merchant durably, with a file for each endpoint and default settings. Its default tick of 10 s costs nothing
 * measurable, because it matters only while a flow sleeps. The next process finds what a crashed one, or a power cut, left on the
 * disk, and nothing else.
 */
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import type { Chance } from "@pay/crashtest/Chance"
import * as Durable from "@pay/flows/durable"
import * as Cipher from "@pay/flows/durable/Cipher"
import type * as Flow from "@pay/flows/Flow"
import { FlowEngine, makeMemory } from "@pay/flows/FlowEngine"
import * as Durability from "@pay/sqlite/Durability"
import { Context, Effect, Exit, Layer, Logger, Redacted, Schedule, type Schema, Scope } from "effect"
import * as Disk from "../storage/Disk.ts"
import * as SqliteFiles from "../storage/SqliteFiles.ts"
import type { Endpoint } from "./Account.ts"
import * as ActionFlows from "./ActionFlows.ts"
import type { Engine, FlowRunner, RunningEngine, ServicesFor } from "./Engine.ts"
import type { Execute, FlowServices } from "./MerchantAction.ts"

const key = Redacted.make(Buffer.alloc(32, 3).toString("base64"))

interface OpenEngine {
  readonly flowRunner: FlowRunner
  readonly engine: FlowEngine["Service"]
}

/** A stored flow, as the merchant saw it. */
interface JournalEntry {
  readonly look: Effect.Effect<string, never, FlowServices>
  /** The result that the merchant got; undefined if there is none yet. */
  readonly end?: string
}

/** The stored flows of one endpoint, by name and identity. */
type Journal = Map<string, JournalEntry>

/** Programs retry the start of a flow while the disk is full. */
const retrySchedule = Schedule.spaced("1 second")

const makeFlowRunner = (
  context: Context.Context<FlowServices>,
  record: (id: string, written: JournalEntry) => void
): FlowRunner => {
  const note = <N extends string, P extends Flow.Fields, A extends Flow.Written, E extends Flow.Written, R>(
    flow: Flow.Flow<N, P, A, E, R>,
    payload: Schema.Struct.Type<P>,
    end?: string
  ) => {
    const identity = flow.idempotencyKey(payload)
    record(`${flow.name} ${identity}`, {
      look: Effect.match(flow.poll(identity), { onFailure: ({ _tag }) => _tag, onSuccess: ({ _tag }) => _tag }),
      ...(end === undefined ? {} : { end })
    })
  }
  const waitForResult: Execute = (flow, payload) =>
    Effect.gen(function* () {
      const flowStatus = yield* flow.ended(flow.idempotencyKey(payload)).pipe(
        Effect.catchTag("NotStarted", () => Effect.interrupt),
        Effect.orDie
      )
      note(flow, payload, flowStatus._tag)
      if (flowStatus._tag === "Succeeded") return flowStatus.value
      if (flowStatus._tag === "Failed") return yield* Effect.fail(flowStatus.error)
      return yield* Effect.die(new Error(`${flow.name} is ${JSON.stringify(flowStatus)}`))
    })
  const execute: Execute = (flow, payload) =>
    flow.start(payload).pipe(
      Effect.retry({ schedule: retrySchedule, while: ({ retryable }) => retryable }),
      Effect.orDie,
      Effect.tap(() => Effect.sync(() => note(flow, payload))),
      Effect.andThen(waitForResult(flow, payload))
    )
  return { context, execute, resume: waitForResult }
}

const states = ["running", "waiting", "stuck"] as const

const openOf = ({ list }: FlowEngine["Service"]) =>
  Effect.forEach(states, (state) => Effect.orDie(list({ state, limit: 10 }))).pipe(
    Effect.map((pages) => pages.flat().map(({ id, state }) => `${id} is ${state}`))
  )

/** Discards log lines, such as those about a full disk. */
const silent = Logger.layer([])

/** Whether the file was not opened because something is missing in it, and not because the disk is full. */
const isLoss = (error: unknown): error is Durability.StoreRefused =>
  error instanceof Durability.StoreRefused && error.why !== "unwitnessed"

/** Builds the layer, and tries again until it succeeds, or until something is missing in its file. */
const buildUntilOpen = <A, E>(layer: Layer.Layer<A, E>, scope: Scope.Scope) =>
  Effect.gen(function* () {
    const own = yield* Scope.fork(scope)
    return yield* Layer.buildWithScope(Layer.fresh(Layer.provide(layer, silent)), own).pipe(
      Effect.onError(() => Scope.close(own, Exit.void))
    )
  }).pipe(
    Effect.retry({ schedule: retrySchedule, while: (error) => !isLoss(error) }),
    Effect.catch((error) => (isLoss(error) ? Effect.fail(error) : Effect.die(error)))
  )

const isKept = (name: string): boolean => /^\w+\.db(-wal|\.witness(\.new)?)?$/.test(name)

/** The files that a fault leaves stand for the files themselves, and nothing depends on the speed of the disk. */
const ofSimulation = Layer.merge(
  Layer.succeed(Durability.FileOf, SqliteFiles.fileOf),
  Layer.succeed(Durability.Sync, SqliteFiles.syncAtOnce)
)

/** `ignoresSync`: selects files whose syncs do nothing. */
export const make = (chance: Chance, ignoresSync?: (name: string) => boolean): Engine => {
  const disk = Disk.make({ isKept, ignoresSync })
  /** The flows in the file of each endpoint. */
  const endpoints = new Map<Endpoint, Journal>()
  const lostFlows: Array<string> = []
  let process = { hasCrashed: false }

  const openAt = Effect.fnUntraced(function* (endpoint: Endpoint, servicesFor: ServicesFor, scope: Scope.Scope) {
    const own = process
    const journal: Journal = endpoints.get(endpoint) ?? new Map()
    endpoints.set(endpoint, journal)
    const needs = yield* servicesFor(endpoint)
    const cipher = yield* Effect.orDie(Cipher.make({ key }))
    const layer = (options: Pick<Durable.Options, "origin"> = {}) =>
      ActionFlows.registered().pipe(
        Layer.provideMerge(Durable.layer({ path: join(disk.folder(), `${endpoint}.db`), ...options, cipher })),
        Layer.provideMerge(Layer.succeedContext(needs)),
        Layer.provide(ofSimulation)
      )
    const context = yield* Effect.catch(buildUntilOpen(layer(), scope), ({ message }) => {
      lostFlows.push(`in ${endpoint}.db: ${message}`)
      return Effect.orDie(buildUntilOpen(layer({ origin: "restored" }), scope))
    })
    const engine = Context.get(context, FlowEngine)
    for (const [id, { end, look }] of journal) {
      const now = yield* Effect.provideContext(look, context)
      if (now === "NotStarted" || (end !== undefined && now !== end))
        lostFlows.push(`${id} was ${end ?? "started"}, and is ${now}`)
    }
    const record = (id: string, written: JournalEntry) => {
      if (!own.hasCrashed) journal.set(id, written)
    }
    return { flowRunner: makeFlowRunner(context, record), engine }
  })

  const start = Effect.fnUntraced(function* (servicesFor: ServicesFor) {
    process = { hasCrashed: false }
    const scope = yield* Effect.scope
    const context = yield* Effect.context<never>()
    const opening = new Map<Endpoint, Effect.Effect<OpenEngine>>()
    const at = Effect.fnUntraced(function* (endpoint: Endpoint) {
      const lookup =
        opening.get(endpoint) ??
        (yield* Effect.cached(Effect.provideContext(openAt(endpoint, servicesFor, scope), context)))
      opening.set(endpoint, lookup)
      return yield* lookup
    })
    const all = Effect.suspend(() => Effect.forEach([...endpoints.keys()], at))
    const [first] = yield* all
    const signal = (key: string, value?: string) =>
      Effect.flatMap(all, (opened) =>
        Effect.forEach(opened, ({ engine }) => engine.signal(key, value), { discard: true })
      ).pipe(Effect.provide(silent))
    return {
      at: (endpoint) => Effect.map(at(endpoint), ({ flowRunner }) => flowRunner),
      signals: { ...(first?.engine ?? makeMemory()), signal },
      open: Effect.map(
        Effect.flatMap(all, (opened) => Effect.forEach(opened, ({ engine }) => openOf(engine))),
        (names) => names.flat()
      )
    } satisfies RunningEngine
  })

  return {
    isDurable: true,
    start,
    crash: () => {
      process.hasCrashed = true
      disk.freeze()
    },
    afterProcessEnd: (how) => disk.afterProcessEnd(how, chance),
    write: (batch) => {
      batch()
      disk.follow()
    },
    writeDuringCrash: (batch) => disk.freezeDuring(batch, chance),
    setFull: disk.setFull,
    lostFlows,
    bytes: () => readdirSync(disk.folder()).reduce((sum, name) => sum + statSync(join(disk.folder(), name)).size, 0),
    end: disk.dispose
  }
}
