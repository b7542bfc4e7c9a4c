/**
 * One running gateway from its configuration: the embedded store, the keys, the directory of merchants and the socket.
 * What stands for the bank world is given by the caller; this module knows no simulator.
 */
import type { Acquirer } from "@pay/gateway/Acquirer"
import { Agenda } from "@pay/gateway/Agenda"
import * as CallbackSenderUndici from "@pay/gateway/CallbackSenderUndici"
import * as Directory from "@pay/gateway/Directory"
import * as Gateway from "@pay/gateway/Gateway"
import type { KeyVault } from "@pay/gateway/KeyVault"
import * as NodeServer from "@pay/gateway/NodeServer"
import { Settings } from "@pay/gateway/Settings"
import * as SqliteStore from "@pay/storage/SqliteStore"
import { Effect, FileSystem, Layer } from "effect"
import type { ServerConfig } from "./ServerConfig.ts"

/** The bank world and the keys of one deployment. */
export interface Outside<E, R> {
  readonly acquirer: Layer.Layer<Acquirer, E, R>
  readonly keyVault: Layer.Layer<KeyVault, E, R>
}

const storePath = (dataDirectory: string): string => `${dataDirectory}/gateway.db`

/** The folder of the database, readable by its owner only. */
const dataDirectory = ({ dataDirectory }: ServerConfig) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      yield* files.makeDirectory(dataDirectory, { recursive: true, mode: 0o700 })
    })
  )

/** Under way when the scope closes: no new connections, requests answered, claimed work finished, then the store. */
const drained = Layer.effectDiscard(
  Effect.gen(function* () {
    const agenda = yield* Agenda
    yield* Effect.addFinalizer(() => Effect.timeoutOption(agenda.stop, "20 seconds"))
  })
)

export const layer = <E, R>(config: ServerConfig, outside: Outside<E, R>) =>
  NodeServer.layer(config.listen).pipe(
    Layer.provideMerge(drained),
    Layer.provideMerge(Gateway.layer),
    Layer.provideMerge(
      Layer.mergeAll(
        SqliteStore.layer({ path: storePath(config.dataDirectory) }),
        Layer.effect(Directory.Directory, Directory.make(config.merchants)),
        CallbackSenderUndici.layer({ policy: config.settings.addressPolicy }),
        outside.acquirer,
        outside.keyVault
      )
    ),
    Layer.provide(dataDirectory(config)),
    Layer.provide(Layer.succeed(Settings, config.settings))
  )
