/**
 * A simulated system of payments in one thread: merchants, network, gateway, bank, rail and time. One seed decides everything that
 * happens in it.
 */

import * as AwaitFinal from "@pay/flows/AwaitFinal"
import * as CallbackSender from "@pay/gateway/CallbackSender"
import { FurtherPages } from "@pay/gateway/Gateway"
import { Scheduler } from "@pay/gateway/Scheduler"
import type * as Settings from "@pay/gateway/Settings"
import { Store } from "@pay/gateway/Store"
import type { FlowServices } from "./merchant/MerchantAction.ts"
// Modules that the product loads on demand are loaded at the start, because loading takes real time.
import "../../gateway/sandbox/src/ThreeDSForgeries.ts"
import "../../gateway/gateway/src/threeds/PaRes.ts"
import "../../gateway/sandbox/src/PaResXml.ts"
import * as Chance from "@pay/crashtest/Chance"
import { RailControl } from "@pay/sandbox/RailControl"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { ThreeDSControl } from "@pay/sandbox/ThreeDSControl"
import { Clock, Context, type Duration, Effect, Exit, Layer, Logger, Random, Scope } from "effect"
import { RandomId } from "../../packages/transport/src/RandomId.ts"
import * as Bank from "./Bank.ts"
import * as CallbackDelivery from "./CallbackDelivery.ts"
import * as GatewayProcess from "./GatewayProcess.ts"
import * as Intents from "./Intents.ts"
import * as Loop from "./Loop.ts"
import * as Account from "./merchant/Account.ts"
import * as Customer from "./merchant/Customer.ts"
import * as DurableEngine from "./merchant/DurableEngine.ts"
import * as Engine from "./merchant/Engine.ts"
import * as MerchantProcess from "./merchant/MerchantProcess.ts"
import * as Network from "./Network.ts"
import * as OwnGateway from "./OwnGateway.ts"
import * as Reversals from "./Reversals.ts"
import * as ShadowStore from "./ShadowStore.ts"
import * as StubProcess from "./StubProcess.ts"
import * as StubRemote from "./StubRemote.ts"
import * as Storage from "./storage/Storage.ts"
import * as Trace from "./Trace.ts"
import * as Vault from "./Vault.ts"

/** The start time of every run. */
const startMs = Date.UTC(2026, 10, 2)

export const baseUrl = "http://127.0.0.1"

export interface Options {
  readonly seed: number
  /** The maximum number of payments that a merchant starts at once. Default: 20. */
  readonly maxConcurrent?: number | undefined
  /** Settings of the gateway, in addition to those that the seed draws. */
  readonly settings?: Partial<Settings.Settings> | undefined
  /** Default: in memory. */
  readonly storage?: Effect.Effect<Storage.Storage> | undefined
  /** Whether the flows of the second and the third merchant are durable. Default: drawn from the seed for each. */
  readonly durable?: boolean | undefined
  /** Waits between the status requests of merchants' flows. Default: those of the flows. */
  readonly pauses?: ReadonlyArray<Duration.Duration> | undefined
  /** Selects files of durable flows whose syncs do nothing, so that a test can see that the checks notice it. */
  readonly unsynced?: ((name: string) => boolean) | undefined
  /** How the bank ends lost answers to requests of every kind. Default: drawn. */
  readonly ways?: Parameters<typeof Bank.waysOfRun>[1] | undefined
}

const random = (chance: Chance.Chance): Random.Random => ({
  nextIntUnsafe: () => chance.below(2 ** 31),
  nextDoubleUnsafe: () => chance.below(2 ** 31) / 2 ** 31
})

type Outside = Layer.Success<ReturnType<typeof Bank.make>["layer"]> | GatewayProcess.Outside

export interface SimulatedSystem {
  readonly seed: number
  /** The maximum number of payments that a merchant starts at once. */
  readonly maxConcurrent: number
  readonly loop: Loop.Loop
  readonly trace: Trace.Trace
  readonly network: Network.Network
  readonly gateway: GatewayProcess.GatewayProcess
  /** The gateway of the third merchant. */
  readonly stub: StubProcess.StubProcess
  readonly storage: Storage.Storage
  readonly vault: Vault.Vault
  readonly merchants: ReadonlyArray<MerchantProcess.MerchantProcess>
  readonly customers: Customer.Customers
  readonly orderIndex: Bank.OrderIndex
  /** References that inquiries do not find, although bank or rail has booked and listed them. */
  readonly notFound: Set<string>
  /** The requests that bank and rail got, in their order. */
  readonly sends: ReadonlyArray<Bank.Send>
  /** Returns the requests that reached the bank again although it did not know the first one any more. */
  readonly forgotten: () => ReadonlyArray<string>
  /** The gateway's answers to merchants in their order, including those that did not arrive. */
  readonly exchanges: ReadonlyArray<OwnGateway.Exchange>
  /** Callbacks that reached a merchant, by address, with the whole query. */
  readonly callbacks: ReadonlyArray<string>
  /** The gateway's log, line by line. */
  readonly logs: ReadonlyArray<string>
  /** What the gateway has committed. */
  readonly committed: ShadowStore.ShadowStore
  /** The store of the running gateway; undefined while it is down. */
  readonly store: () => Store["Service"] | undefined
  readonly bank: SandboxControl["Service"]
  readonly rail: RailControl["Service"]
  readonly threeds: ThreeDSControl["Service"]
  /** Runs the effect in the simulation. Time passes only if the effect waits for it. */
  readonly run: <A, E>(effect: Effect.Effect<A, E>) => Promise<A>
  /** Bank, rail and everything else outside the gateway's process. */
  readonly outside: Context.Context<Outside>
  /** Runs everything that can run without time passing. */
  readonly settle: () => Promise<unknown>
  /** Lets this time pass, and runs everything that becomes due. */
  readonly pass: (ms: number) => Promise<void>
  /** Ends the simulation and removes its files. */
  readonly end: () => Promise<void>
}

const fork = <A, E>(context: Context.Context<never>, effect: Effect.Effect<A, E>) => {
  let exit: Exit.Exit<A, E> | undefined
  Effect.runForkWith(context)(effect).addObserver((ended) => {
    exit = ended
  })
  return () => exit
}

export const make = async ({
  durable,
  seed,
  maxConcurrent = 20,
  pauses = AwaitFinal.pauses,
  settings = {},
  storage: opening = Storage.memory,
  unsynced,
  ways
}: Options): Promise<SimulatedSystem> => {
  const loop = Loop.make(startMs)
  const trace = Trace.make(loop.nowMs, startMs)
  const part = (label: string) => Chance.make(Chance.part(seed, label))
  const ids = part("ids")
  const name = () => `${ids.below(2 ** 31).toString(36)}${ids.below(2 ** 31).toString(36)}`
  const context = loop.context.pipe(
    Context.add(Random.Random, random(part("random"))),
    Context.add(RandomId, name),
    Context.add(AwaitFinal.Pauses, pauses),
    Context.add(Logger.CurrentLoggers, new Set<Logger.Logger<unknown, unknown>>())
  )
  const network = Network.make(loop, part("network"))

  const run = async <A, E>(effect: Effect.Effect<A, E>): Promise<A> => {
    const ended = fork(context, effect)
    for (let exit = ended(); ; exit = ended()) {
      if (exit !== undefined) {
        if (exit._tag === "Success") return exit.value
        throw new Error(`a step of the simulation failed: ${String(exit.cause)}`)
      }
      await loop.drain()
      const next = loop.nextWakeMs()
      if (ended() === undefined) {
        if (next === undefined) throw new Error("a step of the simulation waits for something that never happens")
        loop.moveTo(next)
      }
    }
  }

  const merchants: Array<MerchantProcess.MerchantProcess> = []
  const customers = Customer.make({ trace, context, chanceOf: (name) => part(`customer ${name}`) })
  const callbacks: Array<string> = []
  /** A merchant's path is its login: `http://127.0.0.1:8081/callback/LOGIN`. */
  const receiver = (url: string) => merchants.find(({ account }) => url.includes(`/callback/${account.login}`))
  const receiveCallback = (url: string, headers: Readonly<Record<string, string>>, body?: string) => {
    const called = CallbackDelivery.asQuery(url, body)
    trace.note(`callback ${called.slice(called.indexOf("?") + 1, called.indexOf("?") + 60)}`)
    callbacks.push(called)
    return receiver(url)?.receive(url, headers, body)
  }
  const sender = Layer.succeed(CallbackSender.CallbackSender, {
    send: ({ body, headers, url }) => {
      const arrive = Effect.suspend(() => {
        const received = receiveCallback(url, headers, body)
        return received === undefined ? CallbackDelivery.unreachable : Effect.map(received, (status) => ({ status }))
      })
      const login = receiver(url)?.account.login ?? url
      return network.deliver({
        login,
        arrive,
        lost: CallbackDelivery.unanswered,
        refused: CallbackDelivery.unreachable,
        proxy: [{ status: 503 }]
      })
    }
  })
  const clock = Context.get(loop.context, Clock.Clock)
  const vault = await run(Vault.make(loop.nowMs, clock))
  const bank = Bank.make(baseUrl, clock, Bank.waysOfRun(part("ways"), ways))
  const surroundings = Layer.mergeAll(sender, vault.layer, bank.layer)
  const outside = await run(
    Effect.flatMap(Scope.make(), (scope) => Effect.orDie(Layer.buildWithScope(surroundings, scope)))
  )

  const committed = ShadowStore.make()
  const isReversal = Reversals.of(committed)
  const logs: Array<string> = []
  const storage = await run(opening)
  const accounts = [Account.first, Account.second, Account.third]
  const gateway = GatewayProcess.make({
    ...{ loop, context, outside, storage, token: name, publicBaseUrl: baseUrl, chance: part("storage") },
    settings: { ...(part("settings").percent(30) ? GatewayProcess.productionRates : {}), ...settings },
    directory: Account.directory(accounts),
    watch: committed.watch,
    log: (line) => void logs.push(line)
  })
  await run(gateway.start)

  const exchanges: Array<OwnGateway.Exchange> = []
  const stub = StubProcess.make({
    ...{ loop, trace, network, chance: part("stub"), login: Account.third.login },
    receiveCallback: (url) => Effect.suspend(() => receiveCallback(url, {}) ?? Effect.succeed(404))
  })
  const remoteOf = ({ login }: Account.Account) =>
    login === Account.third.login
      ? StubRemote.make({ stub, network, trace, login })
      : OwnGateway.make({
          ...{ baseUrl, gateway, network, login },
          issuer: Context.get(outside, FurtherPages),
          approvedBookings: (clientOrderId) =>
            Effect.provideContext(
              bank.approvedBookings(Intents.nameOf({ clientOrderId, login: login }), isReversal),
              outside
            ),
          onExchange: (exchange) => exchanges.push(exchange)
        })
  /** In half of the runs the flows of each merchant but the first are durable. */
  const isDurable = ({ login }: Account.Account) =>
    login !== Account.first.login && (durable ?? part(`durable ${login}`).percent(50))
  for (const account of accounts) {
    const remote = remoteOf(account)
    const engine = isDurable(account) ? DurableEngine.make(part(`disk ${account.login}`), unsynced) : Engine.inMemory
    const serve = (work: Effect.Effect<void, never, FlowServices>) =>
      Effect.suspend(() => merchants.find((merchant) => merchant.account === account)?.serve(work) ?? Effect.void)
    const customerBrowser = customers.customerBrowser({ login: account.login, remote, serve })
    merchants.push(await run(MerchantProcess.make({ loop, trace, context, account, engine, remote, customerBrowser })))
  }
  const running = <A>(read: (services: Context.Context<GatewayProcess.Services>) => A): A | undefined => {
    const services = gateway.services()
    return services === undefined ? undefined : read(services)
  }
  /** The next due time, which is read again only after a commit. */
  let lastRead: { readonly atCommit: number; readonly dueMs: number | undefined } | undefined
  /** Returns when the gateway's next job is due, by the simulation's clock. */
  const dueMs = async () => {
    const scheduler = gateway.isPaused() ? undefined : running((services) => Context.get(services, Scheduler))
    if (scheduler === undefined) return undefined
    if (lastRead?.atCommit !== committed.count()) {
      const exit = await run(Effect.exit(scheduler.nextDueMs))
      // If the store cannot be read, the next attempt is a second later.
      if (Exit.isFailure(exit)) return loop.nowMs() + 1_000
      lastRead = { atCommit: committed.count(), dueMs: exit.value }
    }
    const leftMs = lastRead.dueMs === undefined ? undefined : lastRead.dueMs - gateway.businessMs()
    return leftMs === undefined ? undefined : loop.nowMs() + Math.ceil(leftMs)
  }
  const wake = () => running((services) => Context.get(services, Scheduler))?.wake ?? Effect.void
  const pass = async (ms: number) => {
    const endMs = loop.nowMs() + ms
    for (;;) {
      await loop.drain()
      const due = await dueMs()
      const next = Math.min(endMs, loop.nextWakeMs() ?? endMs, due === undefined || due <= loop.nowMs() ? endMs : due)
      if (next >= endMs && loop.nowMs() >= endMs) return
      loop.moveTo(next)
      if (due !== undefined && due <= loop.nowMs()) await run(wake())
      await loop.drain()
      if (loop.nowMs() >= endMs) return
    }
  }
  return {
    ...{ seed, maxConcurrent, loop, trace, network, gateway, stub, storage, vault, merchants, customers },
    ...{
      orderIndex: bank.orderIndex,
      notFound: bank.notFound,
      sends: bank.sends,
      forgotten: bank.forgotten,
      exchanges,
      callbacks,
      committed,
      logs
    },
    store: () => running((services) => Context.get(services, Store)),
    bank: Context.get(outside, SandboxControl),
    rail: Context.get(outside, RailControl),
    threeds: Context.get(outside, ThreeDSControl),
    ...{ run, outside, settle: loop.drain, pass },
    end: async () => {
      for (const merchant of merchants) await run(merchant.end)
      storage.dispose()
    }
  }
}
