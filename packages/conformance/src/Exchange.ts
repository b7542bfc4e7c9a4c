/** One HTTP request, exactly as it is given, and its answer. */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http"
import { Agent as HttpsAgent, request as httpsRequest } from "node:https"
import * as ErrorCode from "@pay/schema/ErrorCode"
import * as Pairs from "@pay/schema/Pairs"
import { Data, Effect } from "effect"

export interface Message {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Reply {
  readonly status: number
  readonly headers: IncomingMessage["headers"]
  readonly text: string
  /** The answer as an object; undefined: it is none. */
  readonly body: Readonly<Record<string, unknown>> | undefined
  /** The answer is in the older dialect, which a request without the specification's `Accept` may get. */
  readonly isOlder: boolean
}

/** No answer came. */
export class Unanswered extends Data.TaggedError("Unanswered")<{ readonly code: string }> {
  override get message(): string {
    return `no answer (${this.code})`
  }
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

/** The older dialect refuses with HTTP 200; the status is the one that JSON mode has for the same code. */
const olderRefusal = (text: string): Pick<Reply, "status" | "body"> | undefined => {
  const body = Pairs.read(text)
  const reason = Object.values(ErrorCode.codes).find(({ code }) => String(code) === body?.["error-code"])
  return body?.type === "validation-error" && reason !== undefined ? { status: reason.status, body } : undefined
}

const replyOf = (accept: string | undefined, { headers, statusCode = 0 }: IncomingMessage, text: string): Reply => {
  const older = accept?.includes("application/vnd.pay+json") === true ? undefined : olderRefusal(text)
  return { status: statusCode, headers, text, body: objectOf(text), ...older, isOlder: older !== undefined }
}

const sockets = { keepAlive: true, maxSockets: 64 }

/** Sends requests over connections that it keeps; they close with the scope. */
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
        const all = { ...headers, "content-length": String(Buffer.byteLength(body)) }
        const options = { method, headers: all, agent: isPlain ? agents.http : agents.https }
        const fail = (error: NodeJS.ErrnoException) =>
          resume(Effect.fail(new Unanswered({ code: error.code ?? error.name })))
        const send = isPlain ? httpRequest : httpsRequest
        const request = send(url, options, (response) => {
          const chunks: Array<Buffer> = []
          let bytes = 0
          response.on("data", (chunk: Buffer) => {
            bytes += chunk.length
            if (bytes > mostBytes) response.destroy(new Error("the answer is too long"))
            else chunks.push(chunk)
          })
          response.on("error", fail)
          response.on("end", () => {
            const text = Buffer.concat(chunks).toString("utf8")
            resume(Effect.succeed(replyOf(headers.accept, response, text)))
          })
        })
        request.on("error", fail)
        request.end(body)
        return Effect.sync(() => request.destroy())
      })
)

export type Exchange = Effect.Success<typeof make>
