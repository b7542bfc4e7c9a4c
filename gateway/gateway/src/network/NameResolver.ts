/** Resolves a host name to its addresses, once for every delivery of a callback. */
import { lookup, Resolver } from "node:dns/promises"
import { readFile } from "node:fs/promises"
import { isIP } from "node:net"
import { setTimeout } from "node:timers/promises"
import { Context, Effect, Layer, Schema } from "effect"

/** The name has no address. `message` is the resolver's code, such as `ENOTFOUND`. */
export class NotResolved extends Schema.TaggedError<NotResolved>()("NotResolved", { message: Schema.String }) {}

const localhost = /^(.*\.)?localhost\.?$/

const attempt = (ask: () => Promise<ReadonlyArray<string>>): Effect.Effect<ReadonlyArray<string>, NotResolved> =>
  Effect.tryPromise({ try: ask, catch: (error) => new NotResolved({ message: codeOf(error) }) })

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "EUNKNOWN"

export interface DnsOptions {
  readonly file?: string
  readonly servers?: ReadonlyArray<string>
}

const withServers = (servers: ReadonlyArray<string>): Resolver => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  return resolver
}

const fixed = (servers: ReadonlyArray<string>) => {
  const resolver = withServers(servers)
  return () => Promise.resolve(resolver)
}

/** Whether the text is an address, with a port or without. */
const isServer = (text: string): boolean =>
  isIP(text) !== 0 || isIP(/^\[?([^\]]{2,60})\]?:\d{1,5}$/.exec(text)?.[1] ?? "") !== 0

/** The addresses of a resolv.conf(5), of which the system uses three. */
const serversIn = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .flatMap(([word, address = ""]) => (word === "nameserver" && isServer(address) ? [address] : []))
    .slice(0, 3)

/** A resolver that follows the file: it is made anew when the content has changed. A file that cannot be read changes nothing. */
const following = (file: string) => {
  let text = ""
  let resolver = withServers([])
  return async () => {
    const now = await readFile(file, "utf8").catch(() => text)
    if (now !== text) resolver = withServers(serversIn(now))
    text = now
    return resolver
  }
}

type Answer = PromiseSettledResult<ReadonlyArray<string>>

/** How long IPv4 addresses wait for the answer for IPv6 (RFC 8305 section 3). Some servers never answer for IPv6. */
const resolutionDelayMs = 50
/** How long IPv6 addresses wait for the answer for IPv4: an attempt cannot add it later, and this machine may have no IPv6. */
const slowIPv4Ms = 1000

const settled = async (answer: Promise<ReadonlyArray<string>>): Promise<Answer> => {
  const [result] = await Promise.allSettled([answer])
  return result
}

const addressesOf = (answer: Answer): ReadonlyArray<string> => (answer.status === "fulfilled" ? answer.value : [])

/** Returns the addresses of both families, in turn. The second family is waited for only if the first one has no address. */
const bothFamilies = async (resolver: Resolver, name: string): Promise<ReadonlyArray<string>> => {
  const [v4, v6] = [settled(resolver.resolve4(name)), settled(resolver.resolve6(name))]
  const first = await Promise.race([v4, v6])
  const none: Answer = { status: "fulfilled", value: [] }
  const inTime = (answer: Promise<Answer>, delayMs: number) =>
    addressesOf(first).length === 0 ? answer : Promise.race([answer, setTimeout(delayMs, none, { ref: false })])
  const [answer4, answer6] = await Promise.all([inTime(v4, slowIPv4Ms), inTime(v6, resolutionDelayMs)])
  const addresses = interleaved(addressesOf(answer4), addressesOf(answer6))
  if (addresses.length > 0) return addresses
  throw answer4.status === "rejected" ? answer4.reason : new Error("no address")
}

const interleaved = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): ReadonlyArray<string> =>
  Array.from({ length: Math.max(one.length, other.length) }, (_, at) => [
    ...one.slice(at, at + 1),
    ...other.slice(at, at + 1)
  ]).flat()

export class NameResolver extends Context.Service<
  NameResolver,
  {
    /** Returns the addresses of the name, IPv4 first and the families in turn. The list is never empty. */
    readonly resolve: (name: string) => Effect.Effect<ReadonlyArray<string>, NotResolved>
  }
>()("@pay/gateway/NameResolver") {
  /**
   * Queries only the DNS servers that `file` names (`/etc/resolv.conf`), which is read again for each name, or those given as
   * `address:port`; no hosts file, and no search domains. `localhost` is the machine itself (RFC 6761 section 6.3). A name whose servers do
   * not answer delays no other name.
   */
  static readonly layerDns = ({ file = "/etc/resolv.conf", servers }: DnsOptions = {}) =>
    Layer.sync(NameResolver, () => {
      const resolverOf = servers === undefined ? following(file) : fixed(servers)
      return {
        resolve: (name) =>
          localhost.test(name)
            ? Effect.succeed(["127.0.0.1", "::1"])
            : attempt(async () => bothFamilies(await resolverOf(), name))
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
