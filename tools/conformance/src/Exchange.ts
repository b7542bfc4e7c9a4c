/** Sends one HTTP request exactly as it is given, and returns its answer. */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http"
import { Agent as HttpsAgent, request as httpsRequest } from "node:https"
import { mediaType } from "@pay/schema/Dialect"
import * as ErrorCode from "@pay/schema/ErrorCode"
import * as Pairs from "@pay/schema/Pairs"
import { Effect } from "effect"
import { cutOff, tooLong, Unanswered } from "./Unanswered.ts"

/** One HTTP request. `Content-Length` is added to its headers. */
export interface Message {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The answer to a request. */
export interface Reply {
  /** The status that the answer has in JSON mode. */
  readonly status: number
  /** The status that the answer has on the wire. */
  readonly http: number
  readonly headers: IncomingMessage["headers"]
  readonly text: string
  /** The answer as an object. Undefined if the answer is not an object. */
  readonly body: Readonly<Record<string, unknown>> | undefined
  /** Whether the answer has the form of the older dialect, which a request without the specification's `Accept` may get. */
  readonly isOlder: boolean
}

const mostBytes = 4 * 1024 * 1024

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const objectOf = (text: string): Reply["body"] => {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns the HTTP status that JSON mode gives to an answer of the older dialect, whose refusals have status 200. A code that the
 * contract lacks shows only that the request was refused.
 */
const statusOf = (
  { headers, statusCode = 0 }: IncomingMessage,
  { "error-code": code, type }: Readonly<Record<string, string>>
): number => {
  if (statusCode !== 200) return statusCode
  if (type === "error") return 500
  if (type !== "validation-error") return statusCode
  const reason = Object.values(ErrorCode.codes).find((each) => String(each.code) === code)
  return reason?.status ?? (headers["retry-after"] === undefined ? 400 : 429)
}

const olderOf = (response: IncomingMessage, text: string): Pick<Reply, "status" | "body"> | undefined => {
  const body = Pairs.read(text)
  return body?.type === undefined ? undefined : { status: statusOf(response, body), body }
}

const replyOf = (accept: string | undefined, response: IncomingMessage, text: string): Reply => {
  const { headers, statusCode = 0 } = response
  const older = accept?.includes(mediaType) === true ? undefined : olderOf(response, text)
  return {
    status: statusCode,
    http: statusCode,
    headers,
    text,
    body: objectOf(text),
    ...older,
    isOlder: older !== undefined
  }
}

const sockets = { keepAlive: true, maxSockets: 64 }

/** Makes an exchange. It keeps its connections, which close with the scope. */
export const make = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => ({ http: new HttpAgent(sockets), https: new HttpsAgent(sockets) })),
    (agents) =>
      Effect.sync(() => {
        agents.http.destroy()
        agents.https.destroy()
      })
  ),
  (agents) =>
    ({ body, headers, method, url }: Message): Effect.Effect<Reply, Unanswered> =>
      Effect.callback<Reply, Unanswered>((resume) => {
        const isPlain = url.startsWith("http:")
        const fail = (code: string) => resume(Effect.fail(new Unanswered({ code })))
        if (!isPlain && !url.startsWith("https:")) return fail("ERR_INVALID_PROTOCOL")
        if (!URL.canParse(url)) return fail("ERR_INVALID_URL")
        const all = { ...headers, "content-length": String(Buffer.byteLength(body)) }
        const options = { method, headers: all, agent: isPlain ? agents.http : agents.https }
        const failWith = ({ code, name }: NodeJS.ErrnoException) => fail(code ?? name)
        const send = isPlain ? httpRequest : httpsRequest
        const request = send(url, options, (response) => {
          const chunks: Array<Buffer> = []
          let bytes = 0
          response.on("data", (chunk: Buffer) => {
            bytes += chunk.length
            chunks.push(chunk)
            if (bytes <= mostBytes) return
            fail(tooLong)
            request.destroy()
          })
          response.on("error", () => fail(cutOff))
          response.on("end", () => {
            const text = Buffer.concat(chunks).toString("utf8")
            resume(Effect.succeed(replyOf(headers.accept, response, text)))
          })
        })
        request.on("error", failWith)
        request.end(body)
        return Effect.sync(() => request.destroy())
      })
)

export type Exchange = Effect.Success<typeof make>
