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
import * as WorldClient from "@pay/sandbox/WorldClient"
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
  /** The PostgreSQL database of the store; left out: a file in the data folder. */
  readonly database?: ServerConfig.ServerConfig["database"]
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

const settingsOf = ({ settings }: Options): Settings.Settings => ({
  ...Settings.sandboxDefaults,
  addressPolicy: AddressPolicy.withLoopback,
  ...settings
})

/** The files in which a bank world keeps what it has answered, and how far its clock is ahead. */
export const worldFiles = (folder: string) => ({
  journalPath: `${folder}/bank.journal`,
  railJournalPath: `${folder}/rail.journal`,
  threedsJournalPath: `${folder}/threeds.journal`,
  offsetPath: `${folder}/clock.json`
})

const gateway = (options: Options) => {
  const { acceptLoss, dataDirectory, drainMs = 0, host = "127.0.0.1", port = 8080, witness } = options
  return Server.layer({
    merchants: options.merchants ?? merchants,
    merchantsSource: options.merchantsSource,
    listen: { host, port, drainMs },
    dataDirectory,
    database: options.database,
    witness,
    acceptLoss,
    operators: options.operators ?? [],
    logLevel: options.logLevel,
    settings: settingsOf(options),
    opening: OpeningBalance.layer,
    pages: ClockPages.layer,
    keyVault: Server.keyVault(
      options,
      KeyRing.fromFile(options.keyRing ?? `${dataDirectory}/keys.json`, { create: true })
    )
  })
}

const folderOf = ({ acceptLoss, dataDirectory, isNew = false }: Options) =>
  DataFolder.layer(dataDirectory, { acceptLoss, isNew, production: false })

export const layer = (options: Options) =>
  gateway(options).pipe(
    Layer.provideMerge(
      SandboxWorld.beside(settingsOf(options), { ...worldFiles(options.dataDirectory), ...options.bank })
    ),
    Layer.provide(folderOf(options))
  )

/** Makes {@link layer} with the bank world that another process serves at this address, in place of one of its own. */
export const layerOn = (worldUrl: string, options: Omit<Options, "bank">) =>
  gateway(options).pipe(Layer.provideMerge(WorldClient.layer(worldUrl)), Layer.provide(folderOf(options)))
