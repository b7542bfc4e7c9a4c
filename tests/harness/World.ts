/**
 * A gateway in this process without socket or disk: its bank, its time and every port can be spoiled. Each call of
 * `layer` is a world of its own.
 */
import { Acquirer, type Adapter } from "@pay/gateway/Acquirer"
import type { CallbackSender } from "@pay/gateway/CallbackSender"
import * as Directory from "@pay/gateway/Directory"
import * as Gateway from "@pay/gateway/Gateway"
import { AddressPolicy, Front } from "@pay/gateway/Gateway"
import { KeyRing, KeyVaultLocal } from "@pay/gateway/KeyVault"
import { Scheduler } from "@pay/gateway/Scheduler"
import * as Settings from "@pay/gateway/Settings"
import { AuthClock, Store } from "@pay/gateway/Store"
import * as StoreMemory from "@pay/gateway/StoreMemory"
import * as OpeningBalance from "@pay/sandbox/OpeningBalance"
import { advance } from "@pay/sandbox/Sandbox"
import * as SandboxWorld from "@pay/sandbox/SandboxWorld"
import * as Sandbox from "@pay/server/Sandbox"
import * as PayClient from "@pay/transport/PayClient"
import * as Wire from "@pay/transport/Wire"
import { Clock, Effect, Layer, Logger, Redacted } from "effect"
import * as Clocks from "../../packages/schema/test/Clocks.ts"
import { clientSettings } from "./Credentials.ts"
import * as Inbox from "./InboxInMemory.ts"

type Bank = Acquirer["Service"]
type StoreService = Store["Service"]

/** Wall time in a test's hand. */
export interface Wall {
  nowMs: number
}

export interface Options {
  /** Wall time: `running`, or a value that stands until a test sets it (default): business time moves by `pass` alone. */
  readonly wall?: "running" | Wall
  readonly bank?: SandboxWorld.Options
  readonly settings?: Partial<Settings.Settings>
  /** Instead of the sandbox's own. */
  readonly merchants?: Directory.Config
  /** Stands between the gateway and its bank, as the adapter that an operator wrote. */
  readonly spoilBank?: (bank: Bank) => Adapter
  /** Instead of a new one. */
  readonly keyRing?: KeyRing.KeyRing
  /** Instead of one in memory. */
  readonly store?: Layer.Layer<Store>
  /** Stands between the gateway and its store. */
  readonly spoilStore?: (store: StoreService) => StoreService
  /** Instead of an inbox that takes everything. */
  readonly callbacks?: Layer.Layer<CallbackSender>
}

const publicBaseUrl = "http://127.0.0.1"

/** The gateway keeps its own time, whatever clock its caller signs by. */
const wire = Layer.unwrap(
  Effect.gen(function* () {
    const front = yield* Front
    const clock = yield* Clock.Clock
    return Wire.layerInProcess(({ body, headers, url }) =>
      Effect.provideService(
        front.handle({
          method: "POST",
          publicBaseUrl,
          target: url.slice(publicBaseUrl.length),
          headers,
          body,
          remoteAddress: "127.0.0.1"
        }),
        Clock.Clock,
        clock
      )
    )
  })
)

/** The client of a merchant who signs with a control key only. */
export const clientOf = (login: string, controlKey: string, endpointId: string) =>
  PayClient.layerNoDeps({
    baseUrl: publicBaseUrl,
    login,
    controlKey: Redacted.make(controlKey),
    endpointId
  }).pipe(Layer.provide(wire))

const client = PayClient.layerNoDeps(clientSettings(publicBaseUrl)).pipe(Layer.provide(wire))

const keyVault = (ring: Effect.Effect<KeyRing.KeyRing>) =>
  Layer.unwrap(Effect.map(ring, (keyRing) => KeyVaultLocal.layer({ keyRing }))).pipe(Layer.provide(AuthClock.layer))

/** When every world begins. */
export const startMs = Date.UTC(2026, 10, 2)

const fixedClock = (wall: Wall): Clock.Clock =>
  Clocks.make({
    nowMs: () => wall.nowMs,
    monotonicNanos: () => BigInt(wall.nowMs - startMs) * 1_000_000n,
    sleep: () => Effect.never
  })

/** What the first start of a gateway writes, before the tests: opening balances. */
const openingBalances = Layer.effectDiscard(
  Effect.scoped(Layer.build(OpeningBalance.layer.pipe(Layer.provide(Directory.layer(Sandbox.merchants)))))
)

/** All that is there before a gateway starts and after it has ended: store, keys, bank, time and merchants. */
export const outside = ({
  bank,
  callbacks,
  keyRing,
  spoilBank = (same) => same,
  spoilStore = (same) => same,
  store = StoreMemory.layer,
  wall = { nowMs: startMs }
}: Options = {}) => {
  const time = wall === "running" ? Layer.empty : Layer.succeed(Clock.Clock, fixedClock(wall))
  const surroundings = Layer.mergeAll(
    store,
    callbacks === undefined ? Inbox.layer : Layer.merge(Inbox.layer, callbacks),
    Layer.fresh(keyVault(keyRing === undefined ? KeyRing.generate : Effect.succeed(keyRing))),
    Layer.effect(
      Acquirer,
      Effect.map(Acquirer, (bank) => Acquirer.checked(spoilBank(bank)))
    ).pipe(Layer.provideMerge(Layer.provide(SandboxWorld.layer(bank), time)))
  )
  return Layer.effect(Store, Effect.map(Store, spoilStore)).pipe(
    Layer.provideMerge(Layer.provideMerge(openingBalances, surroundings))
  )
}

/** The gateway and its client, in whatever surroundings. */
export const gateway = (settings: Partial<Settings.Settings> = {}, merchants: Directory.Config = Sandbox.merchants) =>
  gatewayOf(Gateway.layer, settings, merchants)

/** The same, with a gateway that is given its own time. */
export const gatewayOf = (
  inner: typeof Gateway.layer,
  settings: Partial<Settings.Settings> = {},
  merchants: Directory.Config = Sandbox.merchants
) =>
  client.pipe(
    Layer.provideMerge(inner),
    Layer.provideMerge(Directory.layer(merchants)),
    Layer.provide(
      Layer.succeed(Settings.Settings, {
        ...Settings.sandboxDefaults,
        addressPolicy: AddressPolicy.withLoopback,
        publicBaseUrl,
        ...settings
      })
    ),
    Layer.provide(quiet)
  )

export const layer = (options: Options = {}) =>
  Layer.provideMerge(gateway(options.settings, options.merchants), outside(options))

/** What goes wrong on purpose is not worth a line. */
export const quiet = Logger.layer([])

/** What a program in such a world may ask for. */
export type Services = Layer.Success<ReturnType<typeof layer>>

export { advance as pass, settled } from "@pay/sandbox/Sandbox"

/** Business time moves on to the next moment at which something is due. */
export const nextMoment = Effect.gen(function* () {
  const { nextDueMs } = yield* Scheduler
  const nowMs = yield* Clock.currentTimeMillis
  yield* advance(Math.max(0, ((yield* nextDueMs) ?? nowMs) - nowMs))
})
