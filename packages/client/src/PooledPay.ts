/**
 * The client on a connection pool of undici, for Node. It supports a proxy, a private certificate authority and a client
 * certificate, and it determines exactly whether a byte was sent. Install `undici` beside this package.
 */
import { makeUndici, type UndiciOptions } from "@pay/transport/Wire"
import { Effect, Exit, Redacted, Scope } from "effect"
import * as Undici from "undici"
import * as Client from "./Client.ts"
import type * as Types from "./contract/Client.ts"
import * as Keys from "./Keys.ts"
import * as Settings from "./Settings.ts"

/** The options of the client and of its connections. */
export interface PooledOptions extends Omit<Types.ClientOptions, "fetch"> {
  /** Largest number of concurrent connections, each with one request at a time. Default 64. */
  readonly concurrency?: number | undefined
  /** Longest time to connect, in milliseconds. Default 5,000. */
  readonly connectTimeoutMs?: number | undefined
  /** PEM of certificate authorities to trust beside those of Node. */
  readonly certificateAuthority?: string | undefined
  /** The certificate with which the client proves its identity to the gateway. Both texts are PEM; the key has no passphrase. */
  readonly clientCertificate?: { readonly certificate: string; readonly privateKey: string } | undefined
  /** An HTTP proxy that tunnels: `http://user:password@proxy.example:3128`. */
  readonly proxy?: string | undefined
}

/** The client with a method that closes its connections. */
export interface PooledClient extends Types.Client {
  /** Closes the connections when their requests have ended. */
  readonly close: () => Promise<void>
}

const names = [
  ...Settings.names.filter((name) => name !== "fetch"),
  ...["concurrency", "connectTimeoutMs", "certificateAuthority", "clientCertificate", "proxy"]
]

const poolOf = ({
  certificateAuthority,
  clientCertificate,
  concurrency,
  connectTimeoutMs,
  proxy
}: PooledOptions): UndiciOptions => ({
  ...(concurrency === undefined ? {} : { connections: concurrency }),
  ...(connectTimeoutMs === undefined ? {} : { connectTimeoutMs }),
  ...(certificateAuthority === undefined ? {} : { certificateAuthority }),
  ...(proxy === undefined ? {} : { proxy: Redacted.make(proxy, { label: "proxy" }) }),
  ...(clientCertificate === undefined
    ? {}
    : {
        clientCertificate: {
          certificate: clientCertificate.certificate,
          privateKey: Redacted.make(clientCertificate.privateKey, { label: "certificate key" })
        }
      })
})

/** Makes the client of one merchant on a pool of its own. It throws `InvalidSettingError` if an option is wrong. */
export const client = (callerOptions: PooledOptions): PooledClient => {
  const options = Keys.optionsOf(callerOptions, names, Settings.needed)
  const {
    certificateAuthority: _,
    clientCertificate: __,
    concurrency: ___,
    connectTimeoutMs: ____,
    proxy: _____,
    ...others
  } = options
  const settings = Settings.read(others)
  Settings.checkPool(options)
  const scope = Effect.runSync(Scope.make())
  const wire = Settings.orThrow(Scope.provide(makeUndici(poolOf(options), Undici), scope))
  return { ...Client.make(settings, wire), close: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}
