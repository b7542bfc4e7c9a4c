/**
 * Connections to checked addresses. A pool belongs to one scheme, host, port and address. Its sockets connect to that address
 * only, whatever the name resolves to meanwhile, while `Host`, SNI and the check of the certificate use the name.
 */
import { isIPv6, type LookupFunction } from "node:net"
import { Pool } from "undici"
import type { Target } from "./CallbackUrl.ts"

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
  readonly get: (target: Target, address: string) => Pool
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

  const open = (key: string, origin: string, host: string, address: string): Pool => {
    const pool = new Pool(origin, {
      connections: options.connectionsPerTarget,
      // The sender has its own deadline.
      headersTimeout: 0,
      bodyTimeout: 0,
      allowH2: false,
      // Limits the time for which a server offers to keep a connection open.
      keepAliveMaxTimeout: 60_000,
      connect: {
        lookup: only(address),
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

  return {
    get: ({ host, port, secure }, address) => {
      const origin = `${secure ? "https" : "http"}://${isIPv6(host) ? `[${host}]` : host}:${port}`
      const key = `${origin} ${address}`
      const existing = pools.get(key)
      const pool = existing ?? open(key, origin, host, address)
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
}

/** Replaces the resolver of a socket: every name has this address. */
const only = (address: string): LookupFunction => {
  const family = isIPv6(address) ? 6 : 4
  return (_name, { all }, answer) =>
    all === true ? answer(null, [{ address, family }]) : answer(null, address, family)
}
