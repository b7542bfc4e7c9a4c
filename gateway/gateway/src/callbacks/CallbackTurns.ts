/**
 * Decides which callbacks are sent now. Merchants take turns, and within a merchant its servers do. A server without a call under way
 * may have one beyond the limit, so any number of silent servers delays no other server. A server that was slow or silent in its last
 * call takes no place of the others; it has few calls at a time, until a quick answer of any status.
 */
import * as KeptText from "@pay/schema/KeptText"
import { Effect } from "effect"

export interface Call {
  readonly merchantId: string
  /** Host and port. */
  readonly server: string
}

export interface CallbackTurns {
  /** Waits for the turn of a call. `false`: the server is slow and has enough calls. Otherwise `leave` must follow. */
  readonly enter: (call: Call) => Effect.Effect<boolean>
  readonly leave: (call: Call, tookMs: number) => void
  /** Records that a call under way has no answer after {@link slowMs}. */
  readonly isSlow: (call: Call) => void
}

/** Duration of a call, in milliseconds, from which its server counts as slow. */
export const slowMs = 1000

interface Server {
  calls: number
  slow: boolean
}

type Resume = (isTurn: boolean) => void

/** Calls that wait, by merchant and server, each in the order of their turns. */
const makeQueue = () => {
  const merchants = new Map<string, Map<string, Array<Resume>>>()
  const remove = (merchantId: string, server: string): void => {
    const servers = merchants.get(merchantId)
    servers?.delete(server)
    if (servers?.size === 0) merchants.delete(merchantId)
  }
  return {
    add: ({ merchantId, server }: Call, resume: Resume): void => {
      const servers = merchants.get(merchantId) ?? new Map<string, Array<Resume>>()
      merchants.set(merchantId, servers)
      servers.set(server, [...(servers.get(server) ?? []), resume])
    },
    /**
     * Removes the call whose turn it is, of all or of those to one server. Its merchant, and its server within the merchant, move behind
     * all others.
     */
    take: (only?: string): (Call & { readonly resume: Resume }) | undefined => {
      for (const [merchantId, servers] of merchants) {
        for (const [server, [resume, ...rest]] of servers) {
          if (only !== undefined && server !== only) continue
          remove(merchantId, server)
          if (rest.length > 0) servers.set(server, rest)
          merchants.delete(merchantId)
          if (servers.size > 0) merchants.set(merchantId, servers)
          if (resume !== undefined) return { merchantId, server, resume }
        }
      }
      return undefined
    },
    drop: ({ merchantId, server }: Call, resume: Resume): void => {
      const rest = (merchants.get(merchantId)?.get(server) ?? []).filter((other) => other !== resume)
      if (rest.length === 0) remove(merchantId, server)
      else merchants.get(merchantId)?.set(server, rest)
    },
    /** Removes the calls to a server. */
    takeAll: (server: string): ReadonlyArray<Resume> =>
      [...merchants].flatMap(([merchantId, servers]) => {
        const waiting = servers.get(server) ?? []
        remove(merchantId, server)
        return waiting
      })
  }
}

export interface Options {
  /** Largest number of calls at once beyond the first call of each server. Calls to slow servers do not count. */
  readonly limit: number
  /** Largest number of calls to one slow server. */
  readonly callsToSlow: number
  /** Largest number of servers that are recorded. Beyond it, the oldest record of a server without calls is removed. */
  readonly mostServers?: number
}

export const make = ({ callsToSlow, limit, mostServers = 10_000 }: Options): CallbackTurns => {
  const servers = new Map<string, Server>()
  const callsOfMerchant = new Map<string, number>()
  const queue = makeQueue()
  /** Calls under way beyond the first call of each server. */
  const further = { quick: 0, slow: 0 }

  const of = (server: string): Server => {
    const existing = servers.get(server) ?? { calls: 0, slow: false }
    servers.set(KeptText.of(server), existing)
    return existing
  }
  const countMerchant = (merchantId: string, change: 1 | -1): void => {
    const calls = (callsOfMerchant.get(merchantId) ?? 0) + change
    if (calls === 0) callsOfMerchant.delete(merchantId)
    else callsOfMerchant.set(merchantId, calls)
  }
  /** Changes a record, and what is counted of it. */
  const change = (record: Server, changes: Partial<Server>): void => {
    const count = (sign: 1 | -1) => {
      further[record.slow ? "slow" : "quick"] += sign * Math.max(0, record.calls - 1)
    }
    count(-1)
    Object.assign(record, changes)
    count(1)
  }
  const begin = ({ merchantId, server }: Call): void => {
    const record = of(server)
    change(record, { calls: record.calls + 1 })
    countMerchant(merchantId, 1)
  }
  const start = (waiting: (Call & { readonly resume: Resume }) | undefined): boolean => {
    if (waiting === undefined) return false
    begin(waiting)
    waiting.resume(true)
    return true
  }
  const pump = (): void => {
    while (further.quick < limit && start(queue.take()));
  }
  const markSlow = (server: string): void => {
    change(of(server), { slow: true })
    for (const resume of queue.takeAll(server)) resume(false)
  }
  const makeRoom = (): void => {
    if (servers.size <= mostServers) return
    for (const [name, { calls }] of servers) {
      if (calls > 0) continue
      servers.delete(name)
      return
    }
  }

  return {
    enter: (call) =>
      Effect.callback<boolean>((resume) => {
        const { calls, slow } = of(call.server)
        const isFirst = calls === 0
        if (slow && !isFirst && (calls >= callsToSlow || further.slow >= callsToSlow))
          return resume(Effect.succeed(false))
        if (slow || isFirst || further.quick < limit || !callsOfMerchant.has(call.merchantId)) {
          begin(call)
          return resume(Effect.succeed(true))
        }
        const wake: Resume = (isTurn) => resume(Effect.succeed(isTurn))
        queue.add(call, wake)
        return Effect.sync(() => queue.drop(call, wake))
      }),
    leave: ({ merchantId, server }, tookMs) => {
      const record = of(server)
      change(record, { calls: record.calls - 1 })
      countMerchant(merchantId, -1)
      if (tookMs >= slowMs) markSlow(server)
      else change(record, { slow: false })
      if (record.calls === 0 && !start(queue.take(server)) && !record.slow) servers.delete(server)
      makeRoom()
      pump()
    },
    isSlow: ({ server }) => {
      markSlow(server)
      pump()
    }
  }
}
