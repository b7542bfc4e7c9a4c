/** Looks whether a shop listens at its address, and in which protocol it answers. */
import { connect } from "node:net"
import { connect as connectTls } from "node:tls"
import { Effect } from "effect"
import * as ShopRequests from "./ShopRequests.ts"

const [shortestMs, longestMs] = [200, 5000]

const reaches = (open: () => ReturnType<typeof connect>, event: string): Effect.Effect<boolean> =>
  Effect.callback<boolean>((resume) => {
    const socket = open()
    const end = (isThere: boolean) => {
      socket.destroy()
      resume(Effect.succeed(isThere))
    }
    socket.setTimeout(longestMs, () => end(false))
    socket.once(event, () => end(true))
    socket.once("error", () => end(false))
    socket.once("close", () => end(false))
    return Effect.sync(() => socket.destroy())
  })

/** The host as a socket takes it: an address of IPv6 without brackets. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, "$1")

export const portOf = ({ port, protocol }: URL): number =>
  Number(port === "" ? (protocol === "https:" ? 443 : 80) : port)

/** Whether somebody takes connections at the address. */
export const listens = (url: URL): Effect.Effect<boolean> =>
  reaches(() => connect({ host: hostOf(url), port: portOf(url) }), "connect")

/** The address itself, and the same port at both families of addresses of this machine. */
const addressesOf = (url: URL): ReadonlyArray<URL> => {
  const hosts = [...new Set([url.hostname, "127.0.0.1", "[::1]"])]
  return hosts.map((host) => new URL(`${url.protocol}//${host}:${portOf(url)}`))
}

/** Returns where on this machine somebody takes connections on the address's port, whichever address was meant. */
export const listener = (url: URL): Effect.Effect<URL | undefined> =>
  Effect.map(Effect.filter(addressesOf(url), listens, { concurrency: "unbounded" }), ([first]) => first)

const speaksTls = (url: URL): Effect.Effect<boolean> =>
  // A shop on this machine has a certificate of its own.
  reaches(() => connectTls({ host: hostOf(url), port: portOf(url), rejectUnauthorized: false }), "secureConnect")

/** What a look at the address showed. `Wrong` does not become right by waiting. */
export type Sight =
  | { readonly _tag: "Ready" }
  | { readonly _tag: "NotYet"; readonly text: string; readonly isAnswer: boolean }
  | { readonly _tag: "Wrong"; readonly text: string }

const notYet = (text: string, isAnswer = false): Sight => ({ _tag: "NotYet", text, isAnswer })

/** Sends the request that shows that the shop is ready. */
export const look = Effect.fnUntraced(function* (url: URL, path: string, leftMs: number) {
  const at = new URL(path, url)
  const answer = yield* Effect.result(
    ShopRequests.send({ url: at.href, timeoutMs: Math.min(longestMs, Math.max(leftMs, shortestMs)) })
  )
  if (answer._tag === "Success") {
    const { status } = answer.success
    return status < 500 ? ({ _tag: "Ready" } satisfies Sight) : notYet(`it answers ${status} to GET ${path}`, true)
  }
  const { code, reason } = answer.failure
  if (code === "ECONNREFUSED") return notYet("it does not listen")
  if (ShopRequests.isLate(code)) return notYet(`it ${reason}, asked for ${path}`)
  if (url.protocol === "http:" && (yield* speaksTls(url))) {
    const https = `https://${url.host}`
    return {
      _tag: "Wrong",
      text: `The shop answers with TLS: write "url": "${https}", or start it without TLS.`
    } satisfies Sight
  }
  if (url.protocol === "https:" && !(yield* speaksTls(url)) && (yield* listens(url))) {
    const http = `http://${url.host}`
    return { _tag: "Wrong", text: `The shop answers without TLS: write "url": "${http}".` } satisfies Sight
  }
  return notYet(`it ${reason}, asked for ${path}`)
})
