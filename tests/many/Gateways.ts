/**
 * Several gateways in this process on one store, as if each were a process of its own: each has its own memory, its own clocks,
 * and can be paused or killed alone. The store is whatever layer a test is given.
 */

import { assert } from "@effect/vitest"
import { Acquirer, type Adapter } from "@pay/gateway/Acquirer"
import { CallbackSender } from "@pay/gateway/CallbackSender"
import type * as Directory from "@pay/gateway/Directory"
import * as GatewayModule from "@pay/gateway/Gateway"
import { Front, ProcessLease, ProcessName, ReloadMerchants, RenewalClock, SecureRandom } from "@pay/gateway/Gateway"
import { KeyVault } from "@pay/gateway/KeyVault"
import { Scheduler } from "@pay/gateway/Scheduler"
import type * as Settings from "@pay/gateway/Settings"
import { AuthClock, Ids, Store } from "@pay/gateway/Store"
import { SandboxClock } from "@pay/sandbox/SandboxClock"
import * as PayClient from "@pay/transport/PayClient"
import * as Wire from "@pay/transport/Wire"
import { Clock, Context, type Duration, Effect, Exit, Latch, Layer, Scope } from "effect"
import type { WrittenAnswer as Answer } from "../../gateway/gateway/src/http/WrittenAnswer.ts"
import { sleepingAs, wall } from "../../packages/schema/test/Clocks.ts"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import { clientSettings } from "../harness/Credentials.ts"
import * as StoreCalls from "../harness/StoreCalls.ts"
import * as World from "../harness/World.ts"

type StoreService = Store["Service"]

export interface Options {
  /** How far the clocks of this gateway are ahead of the others'. */
  readonly aheadMs?: number
  readonly settings?: Partial<Settings.Settings>
  readonly merchants?: Directory.Config
  /** Stands between this gateway and the store. */
  readonly spoil?: (store: StoreService) => StoreService
  /** Stand between this gateway and bank, key vault and merchants. */
  readonly spoilBank?: (bank: Acquirer["Service"]) => Adapter
  readonly spoilVault?: (vault: KeyVault["Service"]) => KeyVault["Service"]
  readonly spoilSender?: (sender: CallbackSender["Service"]) => CallbackSender["Service"]
  readonly name?: string
  /** What the merchants' file of this process says now. */
  readonly source?: Effect.Effect<Directory.Config>
}

/** The machine's time of all gateways; a gateway's own differs from it by `aheadMs`. */
export interface Wall {
  nowMs: number
}

/** Opens the store of one more process, until the scope ends. As it is, all of them use the one of the context. */
export const Joining = Context.Reference<(shared: StoreService) => Effect.Effect<StoreService, never, Scope.Scope>>(
  "@pay/tests/Joining",
  { defaultValue: () => Effect.succeed }
)

const still = sleepingAs(() => Effect.never)

/** Calls of the store take turns, so that what two gateways do at once is interleaved. */
const interleaved = (store: StoreService): StoreService =>
  StoreCalls.around(store, (call) => Effect.andThen(Effect.yieldNow, Effect.tap(call, Effect.yieldNow)), false)

/** A store of a process that can be paused and killed: its calls wait during a pause, and are interrupted after a kill. */
const stoppable = (store: StoreService, running: Latch.Latch, state: { isKilled: boolean }): StoreService =>
  StoreCalls.around(store, (call) =>
    Effect.andThen(
      running.await,
      Effect.suspend(() => (state.isKilled ? Effect.interrupt : call))
    )
  )

/** A clock whose timers wait while the process is paused. */
const shifted = (clock: Clock.Clock, aheadMs: number, running: Latch.Latch): Clock.Clock => ({
  ...clock,
  sleep: (duration) => Effect.andThen(clock.sleep(duration), running.await),
  currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + aheadMs,
  currentTimeMillis: Effect.map(clock.currentTimeMillis, (ms) => ms + aheadMs),
  currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe() + BigInt(aheadMs) * 1_000_000n,
  currentTimeNanos: Effect.map(clock.currentTimeNanos, (nanos) => nanos + BigInt(aheadMs) * 1_000_000n)
})

/** Starts a gateway over the store, bank and inbox of the context. */
export const start = Effect.fnUntraced(function* (wall: Wall, options: Options = {}) {
  const { aheadMs = 0, merchants, name = "", settings = {}, source, spoil = (same) => same } = options
  const { spoilBank = (same) => same, spoilSender = (same) => same, spoilVault = (same) => same } = options
  const join = yield* Joining
  const running = Latch.makeUnsafe(true)
  const clock = shifted(yield* Clock.Clock, aheadMs, running)
  const state = { isKilled: false }
  const scope = yield* Scope.fork(yield* Effect.scope)
  const joined = yield* Scope.provide(join(yield* Store), scope)
  // At the end of a test nothing waits for a process that is still paused.
  yield* Effect.addFinalizer(() => running.open)
  const own = Layer.mergeAll(
    Layer.succeed(Store, stoppable(spoil(interleaved(joined)), running, state)),
    Layer.succeed(Clock.Clock, clock),
    Layer.succeed(Acquirer, Acquirer.checked(spoilBank(yield* Acquirer))),
    Layer.succeed(KeyVault, spoilVault(yield* KeyVault)),
    Layer.succeed(CallbackSender, spoilSender(yield* CallbackSender)),
    Layer.succeed(RenewalClock, still),
    Layer.succeed(ProcessName, name)
  )
  const inner = GatewayModule.layerNoDeps.pipe(
    Layer.provideMerge(SecureRandom.layer),
    Layer.provideMerge(Layer.succeed(AuthClock, { nowMs: () => wall.nowMs + aheadMs }))
  )
  const layer = ReloadMerchants.layer.pipe(
    Layer.provideMerge(World.gatewayOf(inner, { jobTickMs: 1e9, ...settings }, merchants)),
    Layer.provideMerge(own),
    Layer.provideMerge(Layer.succeed(ReloadMerchants.MerchantsSource, source)),
    Layer.provideMerge(World.quiet)
  )
  const services = yield* Layer.buildWithScope(Layer.fresh(layer), scope)
  return {
    scheduler: Context.get(services, Scheduler),
    front: Context.get(services, Front),
    ids: Context.get(services, Ids),
    lease: Context.get(services, ProcessLease),
    /** Runs a program against this gateway: its client, its store, its clocks. */
    on: <A, E, R>(program: Effect.Effect<A, E, R>) => Effect.provideContext(program, services),
    pause: running.close,
    resume: running.open,
    /** Ends the process as `kill -9` does. */
    kill: Effect.gen(function* () {
      state.isKilled = true
      yield* running.open
      yield* Scope.close(scope, Exit.void)
    }),
    /** An orderly stop. */
    stop: Effect.andThen(Context.get(services, Scheduler).stop, Scope.close(scope, Exit.void))
  }
})
export type Gateway = Effect.Success<ReturnType<typeof start>>

/** So many gateways. */
export const several = (count: number, wall: Wall, options: Options = {}) =>
  Effect.forEach(
    Array.from({ length: count }, (_, n) => n),
    (n) => start(wall, { name: `host:${n}`, ...options })
  )

/** Waits until nothing is due and nothing under way in any of them. */
export const settled = (gateways: ReadonlyArray<Gateway>): Effect.Effect<void> =>
  Effect.gen(function* () {
    yield* Effect.forEach(gateways, ({ on, scheduler }) => on(scheduler.settled), {
      concurrency: "unbounded",
      discard: true
    })
    if (gateways.some(({ scheduler }) => scheduler.load() > 0)) yield* settled(gateways)
  })

/** The order has this status at the gateway and these bookings at the bank, and all books agree. */
export const ended = Effect.fnUntraced(function* (
  { on }: Gateway,
  order: ClientMerchant.Order,
  status: string,
  bookings: ReadonlyArray<string>
) {
  assert.strictEqual((yield* on(ClientMerchant.status(order))).status, status)
  assert.deepStrictEqual(yield* ClientMerchant.atBank(order), bookings)
  yield* ClientMerchant.allIsWell
})

/** Lets business time pass through everything that becomes due, in whichever of them takes it. */
export const pass = Effect.fnUntraced(function* (gateways: ReadonlyArray<Gateway>, duration: Duration.Input) {
  const clock = yield* SandboxClock
  const [first] = gateways
  if (first === undefined) return yield* Effect.die(new Error("no gateway runs"))
  yield* clock.advance(duration, { nextDueMs: first.scheduler.nextDueMs, settled: settled(gateways) })
})

const publicBaseUrl = "http://127.0.0.1"

/**
 * The merchant's client, whose every request arrives at all of them in the same moment, byte by byte the same. It believes the
 * first that accepted it, else the first one; `answers` has what each answered to each request.
 */
export const everywhere = (gateways: ReadonlyArray<Gateway>, answers: Array<ReadonlyArray<Answer>> = []) => {
  const wire = Wire.layerInProcess(({ body, headers, url }) =>
    Effect.gen(function* () {
      const target = url.slice(publicBaseUrl.length)
      const request = { method: "POST", publicBaseUrl, target, headers, body, remoteAddress: "127.0.0.1" }
      const all = yield* Effect.forEach(gateways, ({ front, on }) => on(front.handle(request)), {
        concurrency: "unbounded"
      })
      answers.push(all)
      const believed = all.find(({ status }) => status === 200) ?? all[0]
      return believed ?? (yield* Effect.die(new Error("no gateway runs")))
    })
  )
  return PayClient.layerNoDeps(clientSettings(publicBaseUrl)).pipe(Layer.provide(wire))
}

/** The machine's time, at which clients sign as well. */
export const wallNow = (): Wall => ({ nowMs: wall.currentTimeMillisUnsafe() })

/** What stands around the gateways: store, bank, inbox and time. */
export type Outside = Layer.Success<ReturnType<typeof World.outside>>
