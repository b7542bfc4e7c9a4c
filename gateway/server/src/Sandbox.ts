/**
 * The gateway with simulated banks, in one process with one data folder, for experiments, tests and demonstrations. Production
 * never loads this module.
 */
import * as Directory from "@pay/gateway/Directory"
import { AddressPolicy } from "@pay/gateway/Gateway"
import { KeyRing } from "@pay/gateway/KeyVault"
import * as Settings from "@pay/gateway/Settings"
import * as ClockPages from "@pay/sandbox/ClockPages"
import * as OpeningBalance from "@pay/sandbox/OpeningBalance"
import * as SandboxMerchant from "@pay/sandbox/SandboxMerchant"
import * as SandboxOlderMerchant from "@pay/sandbox/SandboxOlderMerchant"
import * as SandboxWorld from "@pay/sandbox/SandboxWorld"
import * as WorldClient from "@pay/sandbox/WorldClient"
import { Layer, Schema, Struct } from "effect"
import * as Adapters from "./Adapters.ts"
import { Listen } from "./ConfigFile.ts"
import * as DataFolder from "./DataFolder.ts"
import * as Server from "./Server.ts"
import type { ServerConfig } from "./ServerConfig.ts"
import type { Start } from "./Start.ts"

/** The credentials of the sandbox's merchant: login, keys and endpoint numbers. */
export const merchant = SandboxMerchant.merchant

/** The credentials of the merchant that uses the older dialect. */
export const olderMerchant = SandboxOlderMerchant.merchant

/** What a server needs, with the defaults of a sandbox: its merchants, and keys that it creates. */
export interface Options
  extends Start,
    Partial<Omit<ServerConfig, "dataDirectory" | "listen" | "sandboxWorld" | "settings">>,
    Partial<ServerConfig["listen"]> {
  /** The folder of the database, the bank's journal and the keys. It is created if it is missing. */
  readonly dataDirectory: string
  readonly settings?: Partial<Settings.Settings>
  readonly bank?: SandboxWorld.Options
  /** The adapters that take the place of the simulated bank, and of its other ports that they implement. */
  readonly adapters?: Adapters.Adapters
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

const gateway = (options: Options) =>
  Server.layer({
    merchants,
    ...options,
    listen: Listen.make({ drainMs: 0, ...Struct.pick(options, ["host", "port", "drainMs"]) }),
    settings: settingsOf(options),
    opening: OpeningBalance.layer,
    pages: ClockPages.layer,
    keyVault: Server.keyVault(
      options,
      KeyRing.fromFile(options.keyRing ?? `${options.dataDirectory}/keys.json`, { create: true })
    )
  })

const folderOf = ({ acceptLoss, dataDirectory, isNew = false }: Options) =>
  DataFolder.layer(dataDirectory, { acceptLoss, isNew, production: false })

const adaptersOf = ({ adapters }: Options): Layer.Layer<never> =>
  adapters === undefined ? Layer.empty : Adapters.layer(adapters)

/** Provides a gateway with simulated banks in the same process. */
export const layer = (options: Options) =>
  gateway(options).pipe(
    Layer.provideMerge(adaptersOf(options)),
    Layer.provideMerge(
      SandboxWorld.beside(settingsOf(options), { ...worldFiles(options.dataDirectory), ...options.bank })
    ),
    Layer.provide(folderOf(options))
  )

/** Provides the gateway of {@link layer} with simulated banks that another process serves at this address. */
export const layerOn = (worldUrl: string, options: Omit<Options, "bank">) =>
  gateway(options).pipe(Layer.provideMerge(WorldClient.layer(worldUrl)), Layer.provide(folderOf(options)))
