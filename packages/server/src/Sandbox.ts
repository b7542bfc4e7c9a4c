/**
 * The gateway with a simulated bank world behind it, in one process on one folder: for trying out, for tests and for
 * demonstrations. The production entry never loads this module.
 */
import * as AddressPolicy from "@pay/gateway/AddressPolicy"
import { BankBooks } from "@pay/gateway/BankBooks"
import * as Directory from "@pay/gateway/Directory"
import * as KeyRing from "@pay/gateway/KeyRing"
import * as Settings from "@pay/gateway/Settings"
import * as PaySandbox from "@pay/sandbox/Sandbox"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { Effect, Layer, Schema } from "effect"
import * as Server from "./Server.ts"

/** What a merchant of the sandbox knows: login, keys and endpoint numbers. */
export const merchant = PaySandbox.merchant

export interface Options {
  /** Database, bank's journal and keys; made if it is not there. */
  readonly dataDirectory: string
  readonly host?: string
  /** 0 takes a free one. */
  readonly port?: number
  /** Instead of the sandbox's own. */
  readonly merchants?: typeof Directory.Config.Encoded
  readonly settings?: Partial<Settings.Settings>
  readonly bank?: PaySandbox.Options
}

const decodeMerchants = Schema.decodeEffect(Directory.Config)

/** The simulated bank's books, as the parity check asks for them. */
const bankBooks = Layer.effect(
  BankBooks,
  Effect.map(SandboxControl, ({ books }) => BankBooks.of({ totals: books.totals }))
)

export const layer = (options: Options) => {
  const { dataDirectory, host = "127.0.0.1", port = 8080 } = options
  const world = bankBooks.pipe(
    Layer.provideMerge(
      PaySandbox.layer({
        journalPath: `${dataDirectory}/bank.journal`,
        offsetPath: `${dataDirectory}/clock.json`,
        ...options.bank
      })
    )
  )
  const merchants = options.merchants ?? PaySandbox.directory
  const server = Layer.unwrap(
    Effect.map(decodeMerchants(merchants), (merchants) =>
      Server.layer({
        merchants,
        listen: { host, port },
        dataDirectory,
        settings: { ...Settings.defaults, addressPolicy: AddressPolicy.withLoopback, ...options.settings },
        keyVault: Server.keyVault(dataDirectory, KeyRing.fromFile(`${dataDirectory}/keys.json`, { create: true }))
      })
    )
  )
  return server.pipe(Layer.provideMerge(world), Layer.provide(Server.dataDirectory(dataDirectory)))
}
