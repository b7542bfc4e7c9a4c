/** Finds the address of the caller of each request, and warns about proxies that are not named or that send no usable address. */
import type * as Http from "node:http"
import { Effect } from "effect"
import * as LogText from "../kernel/LogText.ts"
import * as RemoteAddress from "../network/RemoteAddress.ts"
import * as MinuteWarning from "./MinuteWarning.ts"

export const peerOf = ({ socket }: Pick<Http.IncomingMessage, "socket">): string => socket.remoteAddress ?? ""

const forwardedFor = ({ headers }: Http.IncomingMessage): string | undefined => {
  const header = headers["x-forwarded-for"]
  return typeof header === "string" ? header : header?.join(",")
}

const untrusted = (peer: string, headers: Http.IncomingHttpHeaders): string => {
  const sent = RemoteAddress.forwarding.filter((name) => headers[name] !== undefined)
  return `${peer} sends ${sent.join(", ")} and is not among trustedProxies: if it is a proxy of yours, name it there; until then all clients behind it count as one caller for rate limits`
}

const unreadable = (peer: string, entry: string): string =>
  `${peer} of trustedProxies sends ${JSON.stringify(LogText.of(entry))} in X-Forwarded-For, which is not an address: such callers are unknown and have no rate limit by address`

/** Returns a function that finds the address of a request's caller; empty if it is unknown. */
export const make = (proxies: RemoteAddress.Proxies, run: (warning: Effect.Effect<void>) => void) => {
  const warnUnreadable = MinuteWarning.make()
  let isProxySuspected = false
  /** Logs a warning once only, because any client can send such headers. */
  const suspect = (peer: string, headers: Http.IncomingHttpHeaders): void => {
    if (!RemoteAddress.isForwarded(headers) || RemoteAddress.isProxy(proxies, peer)) return
    isProxySuspected = true
    run(Effect.logWarning(untrusted(peer, headers)))
  }
  return (request: Http.IncomingMessage): string => {
    const peer = peerOf(request)
    if (!isProxySuspected) suspect(peer, request.headers)
    const caller = RemoteAddress.of(peer, forwardedFor(request), proxies)
    if (caller.unreadable === undefined) return caller.address
    run(warnUnreadable(() => unreadable(peer, caller.unreadable ?? "")))
    return ""
  }
}
