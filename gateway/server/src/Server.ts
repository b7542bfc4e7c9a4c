/**
 * One running gateway, made from its configuration: the store, the directory of merchants, the callback sender and the HTTP
 * server. The caller provides the banks and the keys. This module loads no simulator.
 */
import { hostname } from "node:os"
import { join } from "node:path"
import * as Directory from "@pay/gateway/Directory"
import * as Gateway from "@pay/gateway/Gateway"
import {
  ApprovalApi,
  CallbackSenderUndici,
  LogThreshold,
  NameResolver,
  NotificationListener,
  type OperatorListener,
  OperatorServer,
  Operators,
  ProcessName,
  ReloadMerchants,
  SecondPerson,
  TwoStep
} from "@pay/gateway/Gateway"
import { type KeyRing, type KeyVault, KeyVaultLocal, ShortLivedKeyTable } from "@pay/gateway/KeyVault"
import * as NodeServer from "@pay/gateway/NodeServer"
import { Scheduler } from "@pay/gateway/Scheduler"
import { Settings } from "@pay/gateway/Settings"
import { AuthClock, type Store } from "@pay/gateway/Store"
import * as Backup from "@pay/storage/Backup"
import * as SqliteStore from "@pay/storage/SqliteStore"
import { Effect, Layer, Option } from "effect"
import { DataFolder } from "./DataFolder.ts"
import type { ServerConfig } from "./ServerConfig.ts"
import type { Start } from "./Start.ts"

/**
 * Provides the keys of the ring, and short-lived keys for CVVs. The short-lived keys are in a folder of their own or, with a
 * database, in a table that all processes share.
 */
export const keyVault = <E, R>(
  { dataDirectory, database }: Pick<ServerConfig, "dataDirectory" | "database">,
  keyRing: Effect.Effect<KeyRing.KeyRing, E, R>
) =>
  Layer.unwrap(
    Effect.map(keyRing, (ring) =>
      database === undefined
        ? KeyVaultLocal.layer({ keyRing: ring, shortLivedKeysFolder: `${dataDirectory}/short-lived-keys` })
        : KeyVaultLocal.layerShared({ keyRing: ring })
    )
  ).pipe(Layer.provide(AuthClock.layer))

/**
 * Stops the scheduler when the scope closes: after the last request was answered, and before the store closes. Waits up to 20
 * seconds for jobs under way.
 */
const drained = Layer.effectDiscard(
  Effect.gen(function* () {
    const scheduler = yield* Scheduler
    yield* Effect.addFinalizer(() =>
      Effect.gen(function* () {
        const stopped = yield* Effect.timeoutOption(scheduler.stop, "20 seconds")
        yield* Option.isSome(stopped)
          ? Effect.logInfo("The gateway has stopped: nothing is under way")
          : Effect.logWarning("The gateway stops with work under way: the next start asks about it")
      })
    )
  })
)

/** The configuration of a gateway, with its keys, its opening work and further pages. */
export interface Options<E, R, E2, R2> extends ServerConfig, Start {
  readonly keyVault: Layer.Layer<KeyVault, E, R>
  /** Work that is done before requests are accepted. */
  readonly opening?: Layer.Layer<never, E2, Store | Directory.Directory>
  /** Pages in addition to those of the gateway (`FurtherPages`). */
  readonly pages?: Layer.Layer<never, never, R2 | Scheduler>
}

/** Some thousands of commits. A sandbox takes less, because tests start many of them. */
const reserveBytes = 32 * 1024 * 1024
const sandboxReserveBytes = 4 * 1024 * 1024

/** Provides the store. Its witness is a separate file, so that it remains if the files of the database are deleted. */
const storeOf = (config: ServerConfig & Start) => {
  const { acceptLoss, dataDirectory, database, restored, settings, witness } = config
  // Developers copy the folder of a sandbox, and no money moves there. So a copy is continued with a warning.
  const optionalMove = settings.production ? undefined : { by: "sandbox", isRequired: false }
  const moved = config.moved === undefined ? optionalMove : { ...config.moved, isRequired: true }
  if (database === undefined)
    return Layer.unwrap(
      Effect.map(DataFolder, ({ absent }) =>
        SqliteStore.layer({
          path: join(dataDirectory, Backup.fileName),
          witness: witness ?? `${dataDirectory}/store.witness`,
          absent,
          acceptLoss,
          moved,
          restored,
          reserveBytes: config.reserveBytes ?? (settings.production ? reserveBytes : sandboxReserveBytes)
        }).pipe(Layer.merge(ShortLivedKeyTable.layerMemory))
      )
    )
  // The driver of PostgreSQL is loaded only if it is needed.
  return Layer.unwrap(
    Effect.gen(function* () {
      const { absent } = yield* DataFolder
      const PostgresStore = yield* Effect.promise(() => import("@pay/storage/PostgresStore"))
      return PostgresStore.layer({
        ...database,
        witness: witness ?? `${dataDirectory}/postgres.witness`,
        acceptLoss,
        moved,
        restored,
        absent: settings.production || absent === "insist" ? absent : "make"
      })
    })
  )
}

const operatorsOf = ({ listen, operatorListen }: ServerConfig): OperatorListener.Options => ({
  host: operatorListen?.host,
  port: operatorListen?.port ?? (listen.port === 0 ? 0 : listen.port + 1)
})

const notificationsOf = ({ listen, notificationListen }: ServerConfig): NotificationListener.Options => ({
  host: notificationListen?.host,
  port: notificationListen?.port ?? (listen.port === 0 ? 0 : listen.port + 2)
})

/** Provides the gateway. It needs an `Acquirer`, the data folder, and the requirements of `keyVault`. */
export const layer = <E, R, E2 = never, R2 = never>(config: Options<E, R, E2, R2>) =>
  NodeServer.layer({ ...config.listen, operators: operatorsOf(config) }).pipe(
    Layer.provide(ApprovalApi.layer),
    Layer.provide(OperatorServer.layer),
    Layer.provide(config.pages ?? Layer.empty),
    Layer.provide(Layer.succeed(Operators.Operators, config.operators ?? [])),
    Layer.provide(Layer.succeed(SecondPerson, config.secondPerson ?? {})),
    Layer.provide(Layer.succeed(TwoStep, config.twoStep ?? false)),
    Layer.provide(config.opening ?? Layer.empty),
    Layer.provide(ReloadMerchants.layer),
    Layer.provideMerge(Layer.succeed(ReloadMerchants.MerchantsSource, config.merchantsSource)),
    Layer.provideMerge(NotificationListener.layer(notificationsOf(config))),
    Layer.provideMerge(drained),
    Layer.provideMerge(Gateway.layer),
    Layer.provideMerge(Directory.layer(config.merchants)),
    Layer.provideMerge(config.keyVault),
    Layer.provideMerge(
      Layer.mergeAll(
        storeOf(config),
        Layer.provide(CallbackSenderUndici.layer({ policy: config.settings.addressPolicy }), NameResolver.layer)
      )
    ),
    Layer.provide(Layer.succeed(Settings, config.settings)),
    Layer.provide(Layer.succeed(ProcessName, `${hostname()}:${process.pid}`)),
    Layer.provide(LogThreshold.layer(config.logLevel && LogThreshold.levels[config.logLevel]))
  )
