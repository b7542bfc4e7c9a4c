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

interface Seen {
  calls: number
  slow: boolean
}

/** `callsAtOnce`: to one slow server. At most `mostServers` are remembered; the one seen first is forgotten first. */
export const make = (callsAtOnce: number, mostServers = 10_000): SlowServers => {
  const servers = new Map<string, Seen>()
  return {
    enter: (server) => {
      const seen = servers.get(server) ?? { calls: 0, slow: false }
      if (seen.slow && seen.calls >= callsAtOnce) return false
      seen.calls += 1
      servers.set(server, seen)
      return true
    },
    leave: (server, tookMs) => {
      const seen = servers.get(server)
      if (seen === undefined) return
      seen.calls -= 1
      seen.slow = tookMs >= slowMs
      if (seen.calls === 0 && !seen.slow) servers.delete(server)
      if (servers.size <= mostServers) return
      for (const [name, { calls }] of servers) {
        if (calls > 0) continue
        servers.delete(name)
        return
      }
    }
  }
}
