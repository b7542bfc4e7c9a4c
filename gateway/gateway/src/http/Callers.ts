/** Finds the address of the caller of each request, and warns about proxies that are not named or that send no usable address. */
import type * as Http from "node:http"
import { Effect } from "effect"
import * as LogText from "../kernel/LogText.ts"
import * as RemoteAddress from "../network/RemoteAddress.ts"
import * as MinuteWarning from "./MinuteWarning.ts"

export interface Request extends Pick<Http.IncomingMessage, "headers"> {
  readonly socket: { readonly remoteAddress?: string | undefined }
}

const peerOf = ({ socket }: Pick<Request, "socket">): string => socket.remoteAddress ?? ""

const forwardedFor = ({ headers }: Request): string | undefined => {
  const header = headers["x-forwarded-for"]
  return typeof header === "string" ? header : header?.join(",")
}

const untrusted = (peer: string, headers: Http.IncomingHttpHeaders): string => {
  const sent = RemoteAddress.forwarding.filter((name) => headers[name] !== undefined)
  return `${peer} sends ${sent.join(", ")} and is not among trustedProxies: if it is a proxy of yours, name it there; until then all clients behind it count as one caller for rate limits`
}

const unreadable = (peer: string, entry: string): string =>
  `${peer} of trustedProxies sends ${JSON.stringify(LogText.of(entry))} in X-Forwarded-For, which is not an address: such callers are unknown and have no rate limit by address`

const another = (peer: string): string =>
  `${peer} of trustedProxies sends the caller's address in another header than X-Forwarded-For, which alone is read: all clients behind it count as one caller for rate limits`

/** Returns a function that finds the address of a request's caller; empty if it is unknown. */
export const make = (proxies: RemoteAddress.Proxies, run: (warning: Effect.Effect<void>) => void) => {
  const warnUnreadable = MinuteWarning.make()
  const warnAnother = MinuteWarning.make()
  let isProxySuspected = false
  /** Logs a warning once only, because any client can send such headers. */
  const suspect = (peer: string, headers: Http.IncomingHttpHeaders): void => {
    if (!RemoteAddress.isForwarded(headers) || RemoteAddress.isProxy(proxies, peer)) return
    isProxySuspected = true
    run(Effect.logWarning(untrusted(peer, headers)))
  }
  return (request: Request): string => {
    const peer = peerOf(request)
    if (!isProxySuspected) suspect(peer, request.headers)
    const entries = forwardedFor(request)
    const caller = RemoteAddress.of(peer, entries, proxies)
    if (entries === undefined && RemoteAddress.isForwarded(request.headers) && RemoteAddress.isProxy(proxies, peer))
      run(warnAnother(() => another(peer)))
    if (caller.unreadable === undefined) return caller.address
    run(warnUnreadable(() => unreadable(peer, caller.unreadable ?? "")))
    return ""
  }
}
