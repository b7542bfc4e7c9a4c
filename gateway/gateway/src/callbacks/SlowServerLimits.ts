/**
 * Records which merchants' servers were slow or silent in their last call. Such a server gets few calls at a time, so that one
 * unreachable server does not delay the callbacks of all other merchants. A quick answer of any status ends the limit.
 */
import * as KeptText from "@pay/schema/KeptText"

export interface SlowServerLimits {
  /** Whether the server may be called now; then `leave` must follow. */
  readonly enter: (server: string) => boolean
  readonly leave: (server: string, tookMs: number) => void
}

/** Duration of a call, in milliseconds, from which the server counts as slow. */
const slowMs = 1000

interface CallRecord {
  calls: number
  slow: boolean
}

/**
 * `callsAtOnce` limits the calls to one slow server. If more than `mostServers` servers are recorded, the oldest record of a
 * server without calls is removed.
 */
export const make = (callsAtOnce: number, mostServers = 10_000): SlowServerLimits => {
  const servers = new Map<string, CallRecord>()
  return {
    enter: (server) => {
      const record = servers.get(server) ?? { calls: 0, slow: false }
      if (record.slow && record.calls >= callsAtOnce) return false
      record.calls += 1
      servers.set(KeptText.of(server), record)
      return true
    },
    leave: (server, tookMs) => {
      const record = servers.get(server)
      if (record === undefined) return
      record.calls -= 1
      record.slow = tookMs >= slowMs
      if (record.calls === 0 && !record.slow) servers.delete(server)
      if (servers.size <= mostServers) return
      for (const [name, { calls }] of servers) {
        if (calls > 0) continue
        servers.delete(name)
        return
      }
    }
  }
}
