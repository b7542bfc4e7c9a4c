/**
 * The time for each address of a host that has several, of IPv4 and IPv6. Node gives an address 250 ms before it tries the next one.
 * On a network without IPv6 the next one fails at once, and a host whose handshake takes longer could never be reached.
 */
import * as Net from "node:net"

/** The default time to connect, in milliseconds. */
export const connectTimeoutMs = 5_000

/** Returns the time for one address: half of the time to connect, so that an address that does not answer leaves time for another. */
export const attemptTimeoutMs = (totalMs: number): number => Math.max(10, Math.floor(totalMs / 2))

/**
 * Gives each address of this process's connections the time of {@link attemptTimeoutMs}, unless it has more. Node has no such option
 * for one request of `fetch`.
 */
export const allowSlowHandshakes = (): void => {
  const { getDefaultAutoSelectFamilyAttemptTimeout: read, setDefaultAutoSelectFamilyAttemptTimeout: write } = Net
  const timeoutMs = attemptTimeoutMs(connectTimeoutMs)
  if (typeof read === "function" && typeof write === "function" && read() < timeoutMs) write(timeoutMs)
}
