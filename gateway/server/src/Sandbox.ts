/**
 * The gateway with simulated banks, in one process with one data folder, for experiments, tests and demonstrations. Production
 * never loads this module.
 */

import * as Directory from "@pay/gateway/Directory"
import { AddressPolicy, type Operators } from "@pay/gateway/Gateway"
import { KeyRing } from "@pay/gateway/KeyVault"
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

/** The credentials of the sandbox's merchant: login, keys and endpoint numbers. */
export const merchant = SandboxMerchant.merchant

/** The credentials of the merchant that uses the older dialect. */
export const olderMerchant = SandboxOlderMerchant.merchant

export interface Options extends Start {
  /** The folder of the database, the bank's journal and the keys. It is created if it is missing. */
  readonly dataDirectory: string
  /** The PostgreSQL database of the store. Default: a file in the data folder. */
  readonly database?: ServerConfig.ServerConfig["database"]
  /** The file of the store's witness. Default: a file in the data folder. */
  readonly witness?: string | undefined
  readonly host?: string
  /** The port. 0 selects a free port. Default 8080. */
  readonly port?: number
  /** Milliseconds for which requests are still accepted after a stop was requested. Default 0. */
  readonly drainMs?: number
  /** The merchants. Default: those of the sandbox. */
  readonly merchants?: Directory.Config
  /** Reads the merchants of the configuration again. */
  readonly merchantsSource?: Effect.Effect<Directory.Config, Directory.DirectoryError> | undefined
  /** The file of the key ring. Default: `keys.json` in the data folder. */
  readonly keyRing?: string | undefined
  readonly settings?: Partial<Settings.Settings>
  /** The lowest level of messages that are logged. Default: `info`. */
  readonly logLevel?: ServerConfig.LogLevel | undefined
  /** The operators who may call `/operator/…`. Without any, everyone on this machine may call it. */
  readonly operators?: ReadonlyArray<Operators.Operator> | undefined
  readonly bank?: SandboxWorld.Options
}

/** The merchants of the sandbox, in the form of a configuration. */
export const merchants: Directory.Config = Schema.decodeSync(Directory.Config)([
  ...SandboxMerchant.directory,
  ...SandboxOlderMerchant.directory
])

const settingsOf = ({ settings }: Options): Settings.Settings => ({
  ...Settings.sandboxDefaults,
  addressPolicy: AddressPolicy.withLoopback,
  ...settings
})

/** The files in which the simulated banks store their answers, and the offset of their clock. */
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

/** Provides a gateway with simulated banks in the same process. */
export const layer = (options: Options) =>
  gateway(options).pipe(
    Layer.provideMerge(
      SandboxWorld.beside(settingsOf(options), { ...worldFiles(options.dataDirectory), ...options.bank })
    ),
    Layer.provide(folderOf(options))
  )

/** Provides the gateway of {@link layer} with simulated banks that another process serves at this address. */
export const layerOn = (worldUrl: string, options: Omit<Options, "bank">) =>
  gateway(options).pipe(Layer.provideMerge(WorldClient.layer(worldUrl)), Layer.provide(folderOf(options)))
