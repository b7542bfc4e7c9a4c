/** Resolves a host name to its addresses, once for every delivery of a callback. */
import { lookup, Resolver } from "node:dns/promises"
import { Context, Effect, Layer, Schema } from "effect"

/** The name has no address. `message` is the resolver's code, such as `ENOTFOUND`. */
export class NotResolved extends Schema.TaggedError<NotResolved>()("NotResolved", { message: Schema.String }) {}

const localhost = /^(.*\.)?localhost\.?$/

const attempt = (ask: () => Promise<ReadonlyArray<string>>): Effect.Effect<ReadonlyArray<string>, NotResolved> =>
  Effect.tryPromise({ try: ask, catch: (error) => new NotResolved({ message: codeOf(error) }) })

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "EUNKNOWN"

export class NameResolver extends Context.Service<
  NameResolver,
  {
    /** Returns every address of the name, IPv4 first. The list is never empty. */
    readonly resolve: (name: string) => Effect.Effect<ReadonlyArray<string>, NotResolved>
  }
>()("@pay/gateway/NameResolver") {
  /**
   * Queries only the DNS servers of the machine, or those given as `address:port`; no hosts file. `localhost` is the machine
   * itself (RFC 6761 §6.3). A name whose servers do not answer delays no other name.
   */
  static readonly layerDns = (options: { readonly servers?: ReadonlyArray<string> } = {}) =>
    Layer.sync(NameResolver, () => {
      const resolver = new Resolver({ timeout: 2_000, tries: 2 })
      if (options.servers !== undefined) resolver.setServers(options.servers)
      return {
        resolve: (name) =>
          localhost.test(name)
            ? Effect.succeed(["127.0.0.1", "::1"])
            : attempt(async () => {
                const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
                const addresses = [v4, v6].flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []))
                if (addresses.length > 0) return addresses
                throw v4.status === "rejected" ? v4.reason : undefined
              })
      }
    })

  static readonly layer = this.layerDns()

  /**
   * Resolves names like every other program of the machine, hosts file included: for development. A slow DNS server blocks one of
   * the few threads that all lookups and file accesses share.
   */
  static readonly layerSystem = Layer.succeed(NameResolver, {
    resolve: (name) =>
      attempt(async () => (await lookup(name, { all: true, order: "ipv4first" })).map(({ address }) => address))
  })
}
