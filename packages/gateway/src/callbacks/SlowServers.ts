/**
 * Which merchants' servers were slow, or silent, when last called: each then gets few calls at a time, so that one dead
 * server does not keep the callbacks of all other merchants waiting. A quick answer, whatever it says, ends that.
 */

export interface SlowServers {
  /** Whether the server may be called now; then `leave` must follow. */
  readonly enter: (server: string) => boolean
  readonly leave: (server: string, tookMs: number) => void
}

/** An answer after this was slow. */
const slowMs = 1000

interface CallRecord {
  calls: number
  slow: boolean
}

/** `callsAtOnce`: to one slow server. At most `mostServers` are remembered; the one seen first is forgotten first. */
export const make = (callsAtOnce: number, mostServers = 10_000): SlowServers => {
  const servers = new Map<string, CallRecord>()
  return {
    enter: (server) => {
      const record = servers.get(server) ?? { calls: 0, slow: false }
      if (record.slow && record.calls >= callsAtOnce) return false
      record.calls += 1
      servers.set(server, record)
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
