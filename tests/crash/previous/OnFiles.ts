/**
 * A gateway in this process on the files of a data folder, in time that only the test advances. One version writes the files and another
 * opens them, so that this file imports only what both versions have.
 */
import { join } from "node:path"
import { Acquirer } from "@pay/gateway/Acquirer"
import * as AddressPolicy from "@pay/gateway/AddressPolicy"
import * as ApprovalApi from "@pay/gateway/ApprovalApi"
import { AuthClock } from "@pay/gateway/AuthClock"
import { CallbackSender } from "@pay/gateway/CallbackSender"
import { Front } from "@pay/gateway/Front"
import * as Gateway from "@pay/gateway/Gateway"
import * as KeyVaultLocal from "@pay/gateway/KeyVaultLocal"
import * as LiveDirectory from "@pay/gateway/LiveDirectory"
import * as OperatorServer from "@pay/gateway/OperatorServer"
import * as Operators from "@pay/gateway/Operators"
import { Scheduler } from "@pay/gateway/Scheduler"
import { SecureRandom } from "@pay/gateway/SecureRandom"
import * as Settings from "@pay/gateway/Settings"
import * as OpeningBalance from "@pay/sandbox/OpeningBalance"
import { SandboxClock } from "@pay/sandbox/SandboxClock"
import * as SandboxWorld from "@pay/sandbox/SandboxWorld"
import * as Sandbox from "@pay/server/Sandbox"
import * as SqliteStore from "@pay/storage/SqliteStore"
import * as PayClient from "@pay/transport/PayClient"
import * as Wire from "@pay/transport/Wire"
import { Clock, type Duration, Effect, Layer, Logger, Redacted } from "effect"

/** Wall time does not advance here. Business time is ahead of it by the offset in `clock.json`. */
const wallMs = Date.UTC(2026, 10, 2, 9)
const wallNanos = BigInt(wallMs) * 1_000_000n

const flowStatus: Clock.Clock = {
  currentTimeMillisUnsafe: () => wallMs,
  currentTimeMillis: Effect.succeed(wallMs),
  currentTimeNanosUnsafe: () => wallNanos,
  currentTimeNanos: Effect.succeed(wallNanos),
  monotonicTimeNanosUnsafe: () => 0n,
  monotonicTimeNanos: Effect.succeed(0n),
  sleep: () => Effect.never
}

/** Signatures are dated by wall time, not by business time. */
export const byWallTime = Effect.provideService(Clock.Clock, flowStatus)
export const wallSeconds = Math.floor(wallMs / 1000)

const bytes = (of: number) => Redacted.make<Uint8Array>(Buffer.alloc(32, of))
/** For this test only: these keys are public, so no gateway may use them. */
const testOnlyKeyRing = {
  master: { current: 1, keys: { 1: bytes(0x4d) } },
  hashing: { current: 1, keys: { 1: bytes(0x48) } }
}

const publicBaseUrl = "http://127.0.0.1"
export const operatorToken = "token-of-ada"
export const callbackUrl = "http://shop.example/callback"

type Bank = Acquirer["Service"]

type Answered = Effect.Effect<Wire.WireAnswer, Wire.WireError>

export interface Options {
  readonly folder: string
  /** The merchant's server. */
  readonly callbacks: CallbackSender["Service"]["send"]
  /** Stands between the gateway and its bank. */
  readonly spoilBank?: (bank: Bank) => Bank
  /** Stands between the merchant and the gateway. */
  readonly spoilWire?: (request: Wire.WireRequest, answered: Answered) => Answered
}

/** The gateway keeps its own time, whatever clock its caller signs by. */
const wire = (spoil: NonNullable<Options["spoilWire"]>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const front = yield* Front
      const clock = yield* Clock.Clock
      return Wire.layerInProcess((request) => {
        const { body, headers, url } = request
        const target = url.slice(publicBaseUrl.length)
        const handled = front.handle({
          ...{ method: "POST", publicBaseUrl, target, headers, body },
          remoteAddress: "127.0.0.1"
        })
        return spoil(request, Effect.provideService(handled, Clock.Clock, clock))
      })
    })
  )

const { controlKey, endpoints, login, privateKeyPem } = Sandbox.merchant
const client = PayClient.layerNoDeps({
  baseUrl: publicBaseUrl,
  login,
  controlKey: Redacted.make(controlKey),
  privateKey: Redacted.make(privateKeyPem),
  endpointId: endpoints.usd
})

/** Database and witness as `pay` names them. */
export const pathsIn = (folder: string) => ({
  path: join(folder, "gateway.db"),
  witness: join(folder, "store.witness")
})

export const layer = (options: Options) => {
  const { callbacks, folder, spoilBank = (same) => same, spoilWire = (_, answered) => answered } = options
  const settings = { ...Settings.sandboxDefaults, publicBaseUrl, addressPolicy: AddressPolicy.withLoopback }
  const world = SandboxWorld.layer({
    publicBaseUrl: () => publicBaseUrl,
    journalPath: join(folder, "bank.journal"),
    railJournalPath: join(folder, "rail.journal"),
    threedsJournalPath: join(folder, "threeds.journal"),
    offsetPath: join(folder, "clock.json")
  })
  const outside = Layer.effect(Acquirer, Effect.map(Acquirer, spoilBank)).pipe(
    Layer.provideMerge(world),
    Layer.merge(Layer.succeed(CallbackSender, { send: callbacks })),
    Layer.provide(Layer.succeed(Clock.Clock, flowStatus))
  )
  const keyVault = KeyVaultLocal.layer({ keyRing: testOnlyKeyRing, shortLivedKeysFolder: join(folder, "brief-keys") })
  const pages = Layer.provideMerge(OperatorServer.layer, ApprovalApi.layer)
  return Layer.merge(Layer.provide(client, wire(spoilWire)), pages).pipe(
    Layer.provideMerge(Layer.provide(Gateway.layerNoDeps, OpeningBalance.layer)),
    Layer.provideMerge(LiveDirectory.layer(Sandbox.merchants)),
    Layer.provideMerge(Layer.merge(SqliteStore.layer(pathsIn(folder)), keyVault)),
    Layer.provideMerge(outside),
    Layer.provide(Layer.succeed(AuthClock, { nowMs: () => wallMs })),
    Layer.provide(SecureRandom.layer),
    Layer.provide(Layer.succeed(Operators.Operators, [{ name: "ada", token: Redacted.make(operatorToken) }])),
    Layer.provide(Layer.succeed(Settings.Settings, settings)),
    Layer.provide(Logger.layer([]))
  )
}

export const settled = Effect.flatMap(Scheduler, (scheduler) => scheduler.settled)

/** Advances business time, and executes everything that becomes due. */
export const pass = Effect.fnUntraced(function* (duration: Duration.Input) {
  const clock = yield* SandboxClock
  yield* clock.advance(duration, yield* Scheduler)
})
