/**
 * A whole payment world in one thread: a merchant, the network, the gateway, its bank and rail, and time. Everything that
 * happens in it follows from one seed.
 */
import { Acquirer } from "@pay/gateway/Acquirer"
import { Agenda } from "@pay/gateway/Agenda"
import { AuthClock } from "@pay/gateway/AuthClock"
import * as CallbackSender from "@pay/gateway/CallbackSender"
import { Front } from "@pay/gateway/Front"
import * as KeyRing from "@pay/gateway/KeyRing"
import * as KeyVaultLocal from "@pay/gateway/KeyVaultLocal"
import * as LiveDirectory from "@pay/gateway/LiveDirectory"
import { PayoutRail } from "@pay/gateway/PayoutRail"
import { Store } from "@pay/gateway/Store"
import * as StoreMemory from "@pay/gateway/StoreMemory"
import * as OpeningBalance from "@pay/sandbox/OpeningBalance"
import { RailControl } from "@pay/sandbox/RailControl"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import * as SandboxWorld from "@pay/sandbox/SandboxWorld"
import * as Sandbox from "@pay/server/Sandbox"
import { RandomId } from "@pay/transport/RandomId"
import * as Wire from "@pay/transport/Wire"
import { Clock, Context, Effect, type Exit, Layer, Logger, Random, Scope } from "effect"
import * as Chance from "./Chance.ts"
import * as GatewayProcess from "./GatewayProcess.ts"
import * as Loop from "./Loop.ts"
import * as MerchantProcess from "./merchant/MerchantProcess.ts"
import * as Network from "./Network.ts"
import * as Seen from "./Seen.ts"
import * as Trace from "./Trace.ts"

/** When every world begins. */
export const startMs = Date.UTC(2026, 10, 2)

/** What a test may spoil on purpose, to see that it is noticed. */
export interface Spoiled {
  readonly store?: (store: Store["Service"]) => Store["Service"]
  readonly bank?: (bank: Acquirer["Service"]) => Acquirer["Service"]
  readonly rail?: (rail: PayoutRail["Service"]) => PayoutRail["Service"]
  readonly callback?: (callback: CallbackSender.Callback) => CallbackSender.Callback | undefined
}

const random = (chance: Chance.Chance): Random.Random => ({
  nextIntUnsafe: () => chance.below(2 ** 31),
  nextDoubleUnsafe: () => chance.below(2 ** 31) / 2 ** 31
})

export interface World {
  readonly loop: Loop.Loop
  readonly trace: Trace.Trace
  readonly network: Network.Network
  readonly gateway: GatewayProcess.GatewayProcess
  readonly merchant: MerchantProcess.MerchantProcess
  readonly seen: Seen.Seen
  /** Orders that an answer of the gateway has named, as they came: each must be there from then on. */
  readonly acknowledged: ReadonlyArray<string>
  readonly store: Store["Service"]
  readonly bank: SandboxControl["Service"]
  readonly rail: RailControl["Service"]
  /** Runs the effect in the world, without letting time pass, unless it waits for time. */
  readonly run: <A, E>(effect: Effect.Effect<A, E>) => Promise<A>
  /** What a check needs to read: store, and bank's and rail's books. */
  readonly outside: Context.Context<Outside>
  /** Everybody does what can be done now. */
  readonly settle: () => Promise<void>
  /** Lets so much time pass, through everything that becomes due. */
  readonly pass: (ms: number) => Promise<void>
}

type Outside = Layer.Success<ReturnType<typeof SandboxWorld.layer>> | Store

const fork = <A, E>(context: Context.Context<never>, effect: Effect.Effect<A, E>) => {
  let exit: Exit.Exit<A, E> | undefined
  Effect.runForkWith(context)(effect).addObserver((ended) => {
    exit = ended
  })
  return () => exit
}

const same = <A>(value: A): A => value

export const make = async (seed: number, spoiled: Spoiled = {}): Promise<World> => {
  const loop = Loop.make(startMs)
  const trace = Trace.make(loop.nowMs, startMs)
  const part = (label: string) => Chance.make(Chance.part(seed, label))
  const ids = part("ids")
  const name = () => `${ids.below(2 ** 31).toString(36)}${ids.below(2 ** 31).toString(36)}`
  const context = loop.context.pipe(
    Context.add(Random.Random, random(part("random"))),
    Context.add(RandomId, name),
    Context.add(Logger.CurrentLoggers, new Set<Logger.Logger<unknown, unknown>>())
  )
  const network = Network.make(loop, part("network"))

  const run = async <A, E>(effect: Effect.Effect<A, E>): Promise<A> => {
    const ended = fork(context, effect)
    for (let exit = ended(); ; exit = ended()) {
      if (exit !== undefined) {
        if (exit._tag === "Success") return exit.value
        throw new Error(`a step of the world failed: ${String(exit.cause)}`)
      }
      await loop.drain()
      const next = loop.nextWakeMs()
      if (ended() === undefined) {
        if (next === undefined) throw new Error("a step of the world waits for something that never comes")
        loop.moveTo(next)
      }
    }
  }

  let merchant: MerchantProcess.MerchantProcess | undefined
  const sender = Layer.succeed(CallbackSender.CallbackSender, {
    send: (sent) => {
      const changed = spoiled.callback === undefined ? sent : spoiled.callback(sent)
      if (changed === undefined) return Effect.succeed({ status: 200 })
      const { headers, url } = changed
      const unreachable = Effect.fail(
        new CallbackSender.CallbackFailure({
          reason: new CallbackSender.Unreachable({ message: "connection refused" })
        })
      )
      const broken = Effect.fail(
        new CallbackSender.CallbackFailure({ reason: new CallbackSender.TimedOut({ message: "no answer" }) })
      )
      return network.carry({
        arrive: Effect.suspend(() => {
          trace.note(`callback ${url.slice(url.indexOf("?") + 1, url.indexOf("?") + 60)}`)
          return merchant === undefined
            ? unreachable
            : Effect.map(merchant.receive(url, headers), (status) => ({ status }))
        }),
        lost: broken,
        refused: unreachable
      })
    }
  })
  const auth = Layer.succeed(AuthClock, { nowMs: loop.nowMs })
  const clock = Context.get(loop.context, Clock.Clock)
  const vault = Layer.unwrap(Effect.map(KeyRing.generate, (keyRing) => KeyVaultLocal.layer({ keyRing, clock })))
  const seen = Seen.make()
  const { bank: spoilBank = same, rail: spoilRail = same, store: spoilStore = same } = spoiled
  const spoiledBank = Layer.merge(
    Layer.effect(Acquirer, Effect.map(Acquirer, spoilBank)),
    Layer.effect(PayoutRail, Effect.map(PayoutRail, spoilRail))
  )
  const bank = Layer.provideMerge(spoiledBank, Layer.provideMerge(seen.layer, SandboxWorld.layer()))
  let commits = 0
  const counting = (store: Store["Service"]): Store["Service"] => {
    const counted = <A, E>(change: Effect.Effect<A, E>) =>
      Effect.tap(change, () =>
        Effect.sync(() => {
          commits += 1
        })
      )
    return {
      ...store,
      commit: (decision) => counted(store.commit(decision)),
      claimDue: (claim) => counted(store.claimDue(claim))
    }
  }
  const store = Layer.provide(
    Layer.effect(
      Store,
      Effect.map(Store, (memory) => spoilStore(counting(memory)))
    ),
    StoreMemory.layer
  )
  const surroundings = Layer.mergeAll(store, sender, vault, bank).pipe(Layer.provide(auth))
  const opened = OpeningBalance.layer.pipe(
    Layer.provide(LiveDirectory.layer(Sandbox.merchants)),
    Layer.provideMerge(surroundings)
  )
  const outside = await run(Effect.flatMap(Scope.make(), (scope) => Effect.orDie(Layer.buildWithScope(opened, scope))))
  const gateway = GatewayProcess.make({ loop, context, outside, settings: {}, token: name })
  await run(gateway.start)

  const acknowledged: Array<string> = []
  const refused = new Wire.WireError({ reason: "NotSent", code: "ECONNREFUSED" })
  const lost = Effect.fail(new Wire.WireError({ reason: "Lost", code: "ECONNRESET" }))
  const wire = Wire.Wire.of({
    send: (request) =>
      Wire.expiring(
        request,
        network.carry({
          arrive: Effect.flatMap(
            gateway.serve((services) =>
              Context.get(services, Front).handle({
                method: "POST",
                publicBaseUrl: MerchantProcess.baseUrl,
                target: request.url.slice(MerchantProcess.baseUrl.length),
                headers: request.headers,
                body: request.body,
                remoteAddress: "127.0.0.1"
              })
            ),
            (answer) => {
              if (answer === "refused") return Effect.fail(refused)
              if (answer === "cut") return lost
              const [, orderId] = answer.status === 200 ? (/"paynet-order-id":"(\d+)"/.exec(answer.body) ?? []) : []
              if (orderId !== undefined) acknowledged.push(orderId)
              return Effect.succeed(answer)
            }
          ),
          lost,
          refused: Effect.fail(refused)
        })
      )
  })
  const there = await run(MerchantProcess.make({ loop, trace, context, wire }))
  merchant = there

  const agenda = () => {
    const services = gateway.services()
    return services === undefined ? undefined : Context.get(services, Agenda)
  }
  const settle = async () => {
    await loop.drain()
  }
  /** Asked for again only where something was written since. */
  let known: { readonly atCommit: number; readonly dueMs: number | undefined } | undefined
  const dueMs = async () => {
    const running = agenda()
    if (running === undefined) return undefined
    if (known?.atCommit !== commits) known = { atCommit: commits, dueMs: await run(running.nextDueMs) }
    return known.dueMs
  }
  const pass = async (ms: number) => {
    const endMs = loop.nowMs() + ms
    for (;;) {
      await loop.drain()
      const due = await dueMs()
      const next = Math.min(endMs, loop.nextWakeMs() ?? endMs, due === undefined || due <= loop.nowMs() ? endMs : due)
      if (next >= endMs && loop.nowMs() >= endMs) return
      loop.moveTo(next)
      const running = agenda()
      if (running !== undefined && due !== undefined && due <= loop.nowMs()) await run(running.wake)
      await loop.drain()
      if (loop.nowMs() >= endMs) return
    }
  }
  return {
    loop,
    trace,
    network,
    gateway,
    merchant: there,
    seen,
    acknowledged,
    store: Context.get(outside, Store),
    bank: Context.get(outside, SandboxControl),
    rail: Context.get(outside, RailControl),
    run,
    outside,
    settle,
    pass
  }
}
