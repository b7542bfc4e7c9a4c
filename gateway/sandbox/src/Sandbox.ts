/**
 * A complete gateway for your tests, with a bank, a merchant and a clock that the test moves. All of it is inside this process.
 * See docs/merchants/testing-effect.md.
 *
 * ```ts
 * const program = Effect.gen(function* () {
 *   const pay = yield* PayClient.PayClient
 *   yield* pay.sale(request)
 *   yield* Sandbox.settled
 *   yield* Sandbox.advance("7 days")
 * })
 * await Effect.runPromise(Effect.provide(program, Sandbox.layer()))
 * ```
 */

import type { CallbackSender } from "@pay/gateway/CallbackSender"
import * as Directory from "@pay/gateway/Directory"
import * as Gateway from "@pay/gateway/Gateway"
import {
  AddressPolicy,
  CallbackSenderUndici,
  Front,
  LogThreshold,
  NameResolver,
  OperatorServer,
  PublicAddress
} from "@pay/gateway/Gateway"
import { KeyRing, KeyVaultLocal } from "@pay/gateway/KeyVault"
import * as NodeServer from "@pay/gateway/NodeServer"
import * as Reconciliation from "@pay/gateway/Reconciliation"
import { Scheduler } from "@pay/gateway/Scheduler"
import * as Settings from "@pay/gateway/Settings"
import { AuthClock, WallTime } from "@pay/gateway/Store"
import * as StoreMemory from "@pay/gateway/StoreMemory"
import type { Dialect } from "@pay/schema/Dialect"
import * as PayClient from "@pay/transport/PayClient"
import * as Profile from "@pay/transport/Profile"
import * as Wire from "@pay/transport/Wire"
import { Clock, type Duration, Effect, Layer, type LogLevel, Redacted, Schema } from "effect"
import * as ClockPages from "./ClockPages.ts"
import * as Inbox from "./Inbox.ts"
import * as OpeningBalance from "./OpeningBalance.ts"
import * as Restart from "./Restart.ts"
import { SandboxClock } from "./SandboxClock.ts"
import * as SandboxMerchant from "./SandboxMerchant.ts"
import * as SandboxOlderMerchant from "./SandboxOlderMerchant.ts"
import * as SandboxWorld from "./SandboxWorld.ts"
import * as SimulatedNetwork from "./SimulatedNetwork.ts"
import * as TestServices from "./TestServices.ts"

export { Inbox } from "./Inbox.ts"
export { Restart } from "./Restart.ts"
export { type Fault, SimulatedNetwork } from "./SimulatedNetwork.ts"

export const { endpoints, merchant } = SandboxMerchant

/** The keys that verify callbacks to the merchant: `CallbackInbox.make({ keys: Sandbox.keys })`. */
export const keys = { controlKeys: [Redacted.make(merchant.controlKey)] }

/** The merchant whose endpoints accept the older dialect. */
export const olderMerchant = SandboxOlderMerchant.merchant

/** The options of a gateway in a test. */
export interface Options {
  /** The endpoint of calls that name none: an id of `Sandbox.endpoints`. Default: `endpoints.usd`. */
  readonly endpointId?: string
  /**
   * The dialect of the client. With `pairs` it is the client of {@link olderMerchant}, the gateway serves the path `/paynet`, and
   * `olderMerchant.endpoints` has the ids of endpoints. Default `json`.
   */
  readonly dialect?: Dialect
  readonly settings?: Partial<Settings.Settings>
  readonly bank?: SandboxWorld.Options
  /**
   * The lowest level that the gateway logs. Default `Warn`: declines and refusals, which tests cause on purpose, are not logged.
   */
  readonly logLevel?: LogLevel.LogLevel
}

/** The options of a gateway on a port. */
export interface ListenOptions extends Options {
  /** The address on which the gateway listens. Default 127.0.0.1. */
  readonly host?: string
  /** The port on which the gateway listens. Default 0: a free port, which `NodeServer` reports. */
  readonly port?: number
  /** Sends the callbacks. Default: {@link loopbackSender}. */
  readonly sender?: Layer.Layer<CallbackSender>
}

/** The options of a gateway on a port that can be killed and started again. */
export interface RestartableOptions extends Omit<ListenOptions, "sender" | "settings"> {
  /** The settings, with the address under which merchants and customers reach the gateway: a restart does not change it. */
  readonly settings: Partial<Settings.Settings> & { readonly publicBaseUrl: string }
  /** Sends the callbacks. */
  readonly sender: Layer.Layer<CallbackSender>
  /** What can be paid out in each currency of each endpoint, in major units. Default: {@link OpeningBalance.amount}. */
  readonly openingBalance?: number
  /** The gateway's wall time, by which it judges and dates signatures. Default: the machine's. */
  readonly wallTimeMs?: () => number
}

/**
 * Moves business time forward through everything that becomes due: holds expire, the gateway inquires about lost answers,
 * callbacks repeat.
 */
export const advance = (duration: Duration.Input) =>
  Effect.flatMap(SandboxClock, (clock) => Effect.flatMap(Scheduler, (scheduler) => clock.advance(duration, scheduler)))

/** Completes when the gateway has done everything that is due now: the bank has answered, and callbacks are delivered. */
export const settled = Effect.flatMap(Scheduler, ({ settled }) => settled)

/**
 * Passes all later callbacks to the shop's own receiver, as over HTTP: `Sandbox.deliverTo(inbox.receive)`. The receiver runs on
 * business time, and callbacks are dated by it, so that the receiver accepts them also after {@link advance}.
 */
export const deliverTo = (receive: Inbox.Receive) => Effect.flatMap(Inbox.Inbox, (inbox) => inbox.deliverTo(receive))

/** Adds up all money of the gateway again and compares it with the bank's books. A healthy gateway has no findings. */
export const reconciliation = Reconciliation.check

const wallClock = Layer.succeed(Clock.Clock, Clock.Clock.defaultValue())

const directory = Layer.unwrap(
  Effect.map(
    Schema.decodeEffect(Directory.Config)([...SandboxMerchant.directory, ...SandboxOlderMerchant.directory]),
    Directory.layer
  )
)

const keyVault = Layer.unwrap(Effect.map(KeyRing.generate, (keyRing) => KeyVaultLocal.layer({ keyRing })))

const whole = Layer.provide(Gateway.layer, OpeningBalance.layer)
const restartable = (balance = OpeningBalance.amount) => {
  const killable = Layer.provide(Gateway.layer, OpeningBalance.layerOf(balance))
  return Layer.provideMerge(Restart.around(killable), PublicAddress.layer)
}

/** Makes the gateway `inside` with everything that it needs, and with the simulated bank. */
const gateway = <A, E, R>(
  inside: Layer.Layer<A, E, R>,
  { bank, ...options }: Options,
  sender: Layer.Layer<never> | Layer.Layer<CallbackSender>
) => {
  const settings = { ...Settings.sandboxDefaults, addressPolicy: AddressPolicy.withLoopback, ...options.settings }
  return inside.pipe(
    Layer.provideMerge(Layer.provide(Inbox.layer, sender)),
    Layer.provideMerge(directory),
    Layer.provideMerge(Layer.merge(StoreMemory.layer, keyVault)),
    Layer.provideMerge(AuthClock.layer),
    Layer.provideMerge(SandboxWorld.beside(settings, bank)),
    Layer.provide(wallClock),
    Layer.provideMerge(Layer.succeed(Settings.Settings, settings))
  )
}

/** Applies the level to everything that logs, the connection included: it runs requests in fibers of their own. */
const logging = ({ logLevel = "Warn" }: Options) => Layer.provide(LogThreshold.layer(logLevel))

/** Sends callbacks over HTTP, also to addresses of this machine. */
export const loopbackSender = CallbackSenderUndici.layer({ policy: AddressPolicy.withLoopback }).pipe(
  Layer.provide(NameResolver.layer)
)

/** Makes the merchant's client. It signs by wall time, whatever clock the test has. */
const client = (baseUrl: string, { dialect = "json", endpointId }: Pick<Options, "dialect" | "endpointId">) => {
  const { controlKey, endpoints, login, privateKeyPem } = dialect === "json" ? merchant : olderMerchant
  return Effect.map(
    PayClient.make({
      baseUrl,
      login,
      controlKey: Redacted.make(controlKey),
      privateKey: Redacted.make(privateKeyPem),
      endpointId: endpointId ?? endpoints.usd,
      profile: dialect === "json" ? "pay" : { ...Profile.named.pairs, ...Profile.named.pay }
    }),
    (made) => PayClient.around(made, Effect.provideService(Clock.Clock, Clock.Clock.defaultValue()))
  )
}

const publicBaseUrls: Readonly<Record<Dialect, string>> = {
  json: "https://gateway.sandbox",
  pairs: "https://gateway.sandbox/paynet"
}

/**
 * A gateway in this process without port or file, and the merchant's client for it. Every call of this function, and every time
 * the layer is provided, makes a separate gateway. The test keeps its own `Clock`. The gateway's clock moves with real time and
 * by {@link advance}.
 */
export const layer = (options: Options = {}) => {
  const { dialect = "json", settings } = options
  const publicBaseUrl = publicBaseUrls[dialect]
  const inside = Layer.effect(PayClient.PayClient, client(publicBaseUrl, options)).pipe(
    Layer.provideMerge(SimulatedNetwork.layer(publicBaseUrl)),
    Layer.provideMerge(gateway(restartable(), { ...options, settings: { publicBaseUrl, ...settings } }, Layer.empty)),
    logging(options)
  )
  return Layer.fresh(
    Layer.provide(Layer.merge(TestServices.layer, TestServices.asIs(SimulatedNetwork.SimulatedNetwork)), inside)
  )
}

/** The services that {@link layer} provides to a test. */
export type Services = Layer.Success<ReturnType<typeof layer>>

const listening = ({ host = "127.0.0.1", port = 0 }: ListenOptions) => NodeServer.layer({ host, port })

/** The client of the gateway that listens. */
const connected = (options: ListenOptions) =>
  Layer.unwrap(
    Effect.map(NodeServer.NodeServer, ({ publicBaseUrl }) =>
      Layer.effect(PayClient.PayClient, client(publicBaseUrl, options)).pipe(Layer.provide(Wire.layerUndici()))
    )
  )

const services = Layer.merge(TestServices.layer, TestServices.asIs(NodeServer.NodeServer))

/** Runs the gateway on a port, for a shop in another process. Callbacks are delivered over loopback and kept in the inbox. */
export const listen = ({ sender = loopbackSender, ...options }: ListenOptions = {}) => {
  const server = listening(options).pipe(Layer.provide(OperatorServer.layer), Layer.provide(ClockPages.layer))
  const inside = connected(options).pipe(
    Layer.provideMerge(server),
    Layer.provideMerge(gateway(whole, options, sender)),
    logging(options)
  )
  return Layer.fresh(Layer.provide(services, inside))
}

/**
 * Runs the gateway on a port, as {@link listen} does, without the interface of its operators. `Restart` kills it and starts it
 * again, while the port stays open.
 */
export const listenRestartable = ({ openingBalance, sender, wallTimeMs, ...options }: RestartableOptions) => {
  const inside = connected(options).pipe(
    Layer.provideMerge(listening(options)),
    Layer.provideMerge(gateway(restartable(openingBalance), options, sender)),
    logging(options)
  )
  const timed = wallTimeMs === undefined ? inside : Layer.provide(inside, Layer.succeed(WallTime, wallTimeMs))
  const further = Layer.merge(TestServices.asIs(Restart.Restart), TestServices.asIs(Front))
  return Layer.fresh(Layer.provide(Layer.merge(services, further), timed))
}
