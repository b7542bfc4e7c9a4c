/**
 * Connections to checked addresses. A pool belongs to one scheme, host, port and list of addresses. Its sockets connect to those
 * addresses only, whatever the name resolves to meanwhile, while `Host`, SNI and the check of the certificate use the name.
 */
import { isIPv6, type LookupFunction } from "node:net"
import "../kernel/OldNode.ts"
import { Pool } from "undici"
import type { Target } from "./decide/CallbackUrl.ts"

export interface Options {
  readonly connectTimeoutMs: number
  readonly connectionsPerTarget: number
  /** Largest number of open pools. Beyond it, the pool that was unused for longest is closed. */
  readonly maxTargets: number
  /** Certificates (PEM) that are trusted instead of the public ones. `undefined`: the public ones. */
  readonly ca: string | undefined
}

export interface CallbackPools {
  /** Returns a pool, which must be used at once, because an unused pool may be closed. */
  readonly get: (target: Target, addresses: ReadonlyArray<string>) => Pool
  /** Replaces a pool whose open connections turned out to be dead, and returns the new one. */
  readonly renew: (target: Target, addresses: ReadonlyArray<string>) => Pool
  readonly size: () => number
  readonly destroy: () => Promise<void>
}

export const make = (options: Options): CallbackPools => {
  const pools = new Map<string, Pool>()

  const close = (key: string, pool: Pool): void => {
    if (pools.get(key) !== pool) return
    pools.delete(key)
    // Running requests finish, and report their own failures.
    pool.close().catch(() => {})
  }

  const open = (key: string, origin: string, host: string, addresses: ReadonlyArray<string>): Pool => {
    const pool = new Pool(origin, {
      connections: options.connectionsPerTarget,
      // The sender has its own deadline.
      headersTimeout: 0,
      bodyTimeout: 0,
      allowH2: false,
      // However long a server offers to keep a connection: after a short time, what is between may have forgotten it.
      keepAliveMaxTimeout: 4_000,
      // The addresses are tried in turn (RFC 8305 section 5). Each gets its part of the time.
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: Math.max(shortestTryMs, Math.floor(options.connectTimeoutMs / addresses.length)),
      connect: {
        lookup: only(addresses),
        timeout: options.connectTimeoutMs,
        // Explicit, so that no environment variable disables it.
        rejectUnauthorized: true,
        ...(options.ca === undefined ? {} : { ca: options.ca }),
        // A name is not sent with its trailing dot (RFC 6066 §3).
        ...(host.endsWith(".") ? { servername: host.slice(0, -1) } : {})
      }
    })
    const closeIdle = () => {
      if (pool.stats.connected === 0 && pool.stats.size === 0) close(key, pool)
    }
    return pool.on("disconnect", closeIdle).on("connectionError", closeIdle)
  }

  const originOf = ({ host, port, secure }: Target): string =>
    `${secure ? "https" : "http"}://${isIPv6(host) ? `[${host}]` : host}:${port}`
  /** A name server may list the addresses in another order each time. */
  const keyOf = (target: Target, addresses: ReadonlyArray<string>): string =>
    `${originOf(target)} ${addresses.toSorted().join(" ")}`

  const manager: CallbackPools = {
    renew: (target, addresses) => {
      const key = keyOf(target, addresses)
      const existing = pools.get(key)
      if (existing !== undefined) close(key, existing)
      return manager.get(target, addresses)
    },
    get: (target, addresses) => {
      const key = keyOf(target, addresses)
      const existing = pools.get(key)
      const pool = existing ?? open(key, originOf(target), target.host, addresses)
      pools.delete(key)
      pools.set(key, pool)
      const [oldest] = pools
      if (pools.size > options.maxTargets && oldest !== undefined) close(...oldest)
      return pool
    },
    size: () => pools.size,
    destroy: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
    }
  }
  return manager
}

/** Shortest time for a connection to one of several addresses, in milliseconds. */
const shortestTryMs = 250

/** Replaces the resolver of a socket: every name has these addresses. */
const only = (addresses: ReadonlyArray<string>): LookupFunction => {
  const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  const [first = { address: "", family: 4 }] = all
  return (_name, options, answer) =>
    options.all === true ? answer(null, all) : answer(null, first.address, first.family)
}
