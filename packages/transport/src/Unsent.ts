/**
 * What the error of an HTTP client proves: whether a byte of the request may have left this process, and the cause. Only an error of
 * the connection, or a certificate that this side did not accept, proves that nothing was sent. Each runtime has names of its own for
 * them. Any other error, such as an alert of the server after this side's part of the handshake, proves nothing.
 */
import { constants } from "node:os"
import { Predicate } from "effect"

/** Whether nothing was sent, and the code of the cause. */
export interface Failure {
  readonly reason: "NotSent" | "Lost"
  readonly code: string
}

const ofAuthority =
  "no authority that this program trusts has signed the gateway's certificate. If the gateway is right, trust its authority " +
  "(certificateAuthority of @pay/client/undici, PAY_CA_FILE, NODE_EXTRA_CA_CERTS), or have it send its intermediate certificates"
const otherwiseInvalid = "the gateway's certificate is not valid: report it to the gateway's support"

/** The checks of a certificate on this side, by the code of Node, and what each means. */
const certificates: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED:
    "the gateway's certificate has expired: report it to the gateway's support, and check the clock of this machine",
  CERT_NOT_YET_VALID: "the gateway's certificate is not valid yet: check the clock of this machine",
  DEPTH_ZERO_SELF_SIGNED_CERT:
    "the gateway's certificate is self-signed. If the gateway is right, trust it (certificateAuthority of @pay/client/undici, " +
    "PAY_CA_FILE, NODE_EXTRA_CA_CERTS)",
  SELF_SIGNED_CERT_IN_CHAIN: ofAuthority,
  UNABLE_TO_GET_ISSUER_CERT: ofAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ofAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ofAuthority,
  ERR_TLS_CERT_ALTNAME_INVALID: "the certificate is for another host name: check the host of baseUrl",
  HOSTNAME_MISMATCH: "the certificate is for another host name: check the host of baseUrl",
  CERT_REVOKED: "the gateway's certificate was revoked: report it to the gateway's support",
  CERT_CHAIN_TOO_LONG: otherwiseInvalid,
  CERT_REJECTED: otherwiseInvalid,
  CERT_SIGNATURE_FAILURE: otherwiseInvalid,
  CERT_UNTRUSTED: otherwiseInvalid,
  INVALID_CA: otherwiseInvalid,
  INVALID_PURPOSE: otherwiseInvalid,
  PATH_LENGTH_EXCEEDED: otherwiseInvalid
}

const refused = "no program listens at the gateway's address: check the host and the port of baseUrl"
const noRoute = "this machine has no route to the gateway: check the network and the firewall"
const late = "the gateway's host did not answer in time: check the host and the port of baseUrl, and the firewall"
const unnamed = "the gateway's host name has no address: check the host of baseUrl and the name server"

/** The codes that only a connection that was not made has, in Node, Bun and other clients. */
const connections: Readonly<Record<string, string>> = {
  ECONNREFUSED: refused,
  ConnectionRefused: refused,
  FailedToOpenSocket: refused,
  ENOTFOUND: unnamed,
  EAI_NODATA: unnamed,
  EAI_NONAME: unnamed,
  EAI_FAIL: unnamed,
  EAI_AGAIN: "the name server does not answer: check the network",
  UND_ERR_CONNECT_TIMEOUT: late,
  ERR_PROXY_TUNNEL: "the proxy opens no connection to the gateway: check the proxy",
  BLOCKED_PORT: "fetch does not connect to this port: check the port of baseUrl"
}

const noTls = "the gateway's address does not speak TLS: check the port and the scheme of baseUrl"
const closed =
  "the gateway's host closed the connection without a whole answer: check the port and the scheme of baseUrl, and the network"
const damaged = "the answer arrived damaged: check baseUrl and the proxies on the way"

/** Other codes, which prove nothing by themselves. */
const others: Readonly<Record<string, string>> = {
  EHOSTUNREACH: noRoute,
  ENETUNREACH: noRoute,
  ETIMEDOUT: late,
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
  ECONNRESET: closed,
  EPIPE: closed,
  UND_ERR_SOCKET: closed,
  ANSWER_TOO_LARGE: "the answer is longer than any answer of a gateway: check baseUrl",
  Z_BUF_ERROR: damaged,
  Z_DATA_ERROR: damaged,
  DEADLINE: "the time of the call was over before",
  CALLS_PER_SECOND: "the client limits its own calls",
  ORDER_BUSY: "another action on the order has not ended"
}

const meanings: ReadonlyMap<string, string> = new Map(Object.entries({ ...certificates, ...connections, ...others }))

/** Returns why a request with this code was not sent, and what to check. */
export const meaning = (code: string): string =>
  meanings.get(code) ?? "the gateway cannot be reached: check the host and the port of baseUrl, and the network"

const property = (error: unknown, name: string): unknown =>
  Predicate.hasProperty(error, name) ? error[name] : undefined

/** Errors that only their text distinguishes: how Bun and Deno begin them, and the code of Node for each. */
const texts: ReadonlyArray<readonly [start: RegExp, codeOf: (text: string) => string]> = [
  [/^(?:[A-Z]+: )?(?:Unable to connect|Was there a typo in the url or port)/, () => "ECONNREFUSED"],
  [/^Proxy response \(\d+\)/, () => "ERR_PROXY_TUNNEL"],
  [/^bad port$|^Fetch failed: Requests to port \d+ are blocked/, () => "BLOCKED_PORT"],
  [/^error sending request .*client error \(Connect\): tcp connect error/, (text) => systemCode(text)],
  [
    /^error sending request .*client error \(Connect\): dns error/,
    (text) => (text.includes("Temporary failure") ? "EAI_AGAIN" : "ENOTFOUND")
  ],
  [/^error sending request .*client error \(Connect\): invalid peer certificate/, (text) => certificateCode(text)],
  [
    /^error sending request .*client error \(Connect\): (?:unsuccessful tunnel|proxy authentication)/,
    () => "ERR_PROXY_TUNNEL"
  ]
]

/** Returns the name of the system's error whose number Deno writes. */
const systemCode = (text: string): string => {
  const number = Number(/\(os error (\d+)\)/.exec(text)?.[1])
  return Object.entries(constants.errno).find(([, errno]) => errno === number)?.[0] ?? "ECONNREFUSED"
}

const certificateCode = (text: string): string => {
  if (text.includes("certificate expired")) return "CERT_HAS_EXPIRED"
  if (text.includes("not valid yet")) return "CERT_NOT_YET_VALID"
  if (text.includes("not valid for name")) return "ERR_TLS_CERT_ALTNAME_INVALID"
  if (text.includes("CaUsedAsEndEntity")) return "DEPTH_ZERO_SELF_SIGNED_CERT"
  return text.includes("UnknownIssuer") ? "UNABLE_TO_GET_ISSUER_CERT_LOCALLY" : "CERT_REJECTED"
}

const isUnsentCode = (code: string): boolean => Object.hasOwn(certificates, code) || Object.hasOwn(connections, code)

const isConnecting = (syscall: unknown): boolean =>
  typeof syscall === "string" && (syscall === "connect" || syscall.startsWith("getaddrinfo"))

/** Returns what an error proves. Clients wrap the error of the system in errors of their own, often more than once. */
export const failureOf = (error: unknown, depth = 0): Failure => {
  const lost: Failure = { reason: "Lost", code: "FETCH" }
  if (depth > 4 || !Predicate.hasProperty(error, "message")) return lost
  const { code, text } = { code: property(error, "code"), text: String(error.message) }
  const attempts = property(error, "errors")
  if (Array.isArray(attempts) && attempts.length > 0)
    return ofAttempts(attempts.map((each) => failureOf(each, depth + 1)))
  const match = texts.find(([start]) => start.test(text))
  if (typeof code === "string") {
    const isUnsent = isUnsentCode(code) || isConnecting(property(error, "syscall")) || match !== undefined
    return { reason: isUnsent ? "NotSent" : "Lost", code }
  }
  return match === undefined
    ? failureOf(property(error, "cause"), depth + 1)
    : { reason: "NotSent", code: match[1](text) }
}

/** Returns what the attempts at several addresses prove together: nothing was sent only if each of them failed before. */
const ofAttempts = (attempts: ReadonlyArray<Failure>): Failure => {
  const [first] = attempts
  return attempts.find(({ reason }) => reason === "Lost") ?? first ?? { reason: "Lost", code: "FETCH" }
}
