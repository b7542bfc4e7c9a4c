/**
 * The gateway with a simulated bank world behind it, in one process on one folder: for trying out, for tests and for
 * demonstrations. The production entry never loads this module.
 */
import * as AddressPolicy from "@pay/gateway/AddressPolicy"
import * as Directory from "@pay/gateway/Directory"
import * as KeyRing from "@pay/gateway/KeyRing"
import type * as Operators from "@pay/gateway/Operators"
import * as Settings from "@pay/gateway/Settings"
import * as ClockPages from "@pay/sandbox/ClockPages"
import * as OpeningBalance from "@pay/sandbox/OpeningBalance"
import * as SandboxMerchant from "@pay/sandbox/SandboxMerchant"
import * as SandboxOlderMerchant from "@pay/sandbox/SandboxOlderMerchant"
import * as SandboxWorld from "@pay/sandbox/SandboxWorld"
import { type Effect, Layer, Schema } from "effect"
import * as DataFolder from "./DataFolder.ts"
import * as Server from "./Server.ts"
import type * as ServerConfig from "./ServerConfig.ts"
import type { Start } from "./Start.ts"

/** What a merchant of the sandbox knows: login, keys and endpoint numbers. */
export const merchant = SandboxMerchant.merchant

/** The merchant whose modules speak the older dialect. */
export const olderMerchant = SandboxOlderMerchant.merchant

export interface Options extends Start {
  /** Database, bank's journal and keys; made if it is not there. */
  readonly dataDirectory: string
  /** Instead of `store.witness` in the data folder. */
  readonly witness?: string | undefined
  readonly host?: string
  /** 0 takes a free one. */
  readonly port?: number
  /** How long requests are still taken after it was asked to stop. Default 0. */
  readonly drainMs?: number
  /** Instead of the sandbox's own. */
  readonly merchants?: Directory.Config
  /** Reads the merchants again. */
  readonly merchantsSource?: Effect.Effect<Directory.Config, Directory.DirectoryError> | undefined
  /** Instead of `keys.json` in the data folder. */
  readonly keyRing?: string | undefined
  readonly settings?: Partial<Settings.Settings>
  /** Default: `info`. */
  readonly logLevel?: ServerConfig.LogLevel | undefined
  /** The operators who may call `/operator/…`. Without any, everyone on this machine may call it. */
  readonly operators?: ReadonlyArray<Operators.Operator> | undefined
  readonly bank?: SandboxWorld.Options
}

/** The sandbox's own merchants, as a configuration names them. */
export const merchants: Directory.Config = Schema.decodeSync(Directory.Config)([
  ...SandboxMerchant.directory,
  ...SandboxOlderMerchant.directory
])

export const layer = (options: Options) => {
  const {
    acceptLoss,
    bank,
    dataDirectory,
    drainMs = 0,
    host = "127.0.0.1",
    isNew = false,
    port = 8080,
    witness
  } = options
  const settings = { ...Settings.sandboxDefaults, addressPolicy: AddressPolicy.withLoopback, ...options.settings }
  const world = SandboxWorld.beside(settings, {
    journalPath: `${dataDirectory}/bank.journal`,
    railJournalPath: `${dataDirectory}/rail.journal`,
    threedsJournalPath: `${dataDirectory}/threeds.journal`,
    offsetPath: `${dataDirectory}/clock.json`,
    ...bank
  })
  return Server.layer({
    merchants: options.merchants ?? merchants,
    merchantsSource: options.merchantsSource,
    listen: { host, port, drainMs },
    dataDirectory,
    witness,
    acceptLoss,
    operators: options.operators ?? [],
    logLevel: options.logLevel,
    settings,
    opening: OpeningBalance.layer,
    pages: ClockPages.layer,
    keyVault: Server.keyVault(
      dataDirectory,
      KeyRing.fromFile(options.keyRing ?? `${dataDirectory}/keys.json`, { create: true })
    )
  }).pipe(
    Layer.provideMerge(world),
    Layer.provide(DataFolder.layer(dataDirectory, { acceptLoss, isNew, production: false }))
  )
}
