/**
 * One HTTP request to this machine, as a customer sends it: with a time-out and a longest answer, never sent again, no redirect
 * followed, on a connection of its own. A certificate is not checked, because it belongs to a shop on this machine.
 */
import * as Loopback from "@pay/schema/Loopback"
import { AnswerBody, longest } from "@pay/transport/AnswerBody"
import { Data, Effect } from "effect"
import { Agent, type Dispatcher, request } from "undici"

export interface Request {
  readonly url: string
  readonly method?: Dispatcher.HttpMethod
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly timeoutMs: number
}

export interface Answer {
  readonly url: string
  readonly status: number
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly text: string
}

/** There was no answer. `reason` completes the sentence "the shop …". */
export class NoAnswer extends Data.TaggedError("NoAnswer")<{ readonly reason: string; readonly code: string }> {}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "refused the connection",
  ECONNRESET: "broke the connection",
  UND_ERR_SOCKET: "broke the connection",
  EPIPE: "broke the connection",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "broke the connection in the middle of its answer",
  UND_ERR_CONNECT_TIMEOUT: "did not take the connection in time",
  ANSWER_TOO_LARGE: `answered with more than ${longest} bytes`
}

const lateCodes: ReadonlySet<string> = new Set([
  "ABORT_ERR",
  "TimeoutError",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT"
])

/** Whether the code of {@link NoAnswer} says that the time was over. */
export const isLate = (code: string): boolean => lateCodes.has(code)

const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return "unknown"
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name
  return code === "Error" || code === "TypeError" ? codeOf(error.cause) : code
}

/** No connection is kept: one to a shop that was killed would fail the next request. */
const agent = new Agent({ pipelining: 0, connections: null, connect: { rejectUnauthorized: false, timeout: 10_000 } })

const tooLarge = (): Error => Object.assign(new Error("the answer is too long"), { code: "ANSWER_TOO_LARGE" })

const read = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  const collected = new AnswerBody(longest)
  for await (const piece of body) if (!collected.add(piece)) throw tooLarge()
  return new TextDecoder().decode(collected.bytes())
}

/** Sends it. Fails for an address that is not on this machine, without a connection. */
export const send = ({ body, headers = {}, method, timeoutMs, url }: Request): Effect.Effect<Answer, NoAnswer> =>
  Effect.suspend(() => {
    if (!Loopback.isOn(url)) {
      const { host = "no machine" } = URL.parse(url) ?? {}
      return new NoAnswer({ code: "ELSEWHERE", reason: `leads to ${host}. A crash test calls only this machine` })
    }
    return Effect.tryPromise({
      try: async (signal): Promise<Answer> => {
        const answer = await request(url, {
          dispatcher: agent,
          method: method ?? (body === undefined ? "GET" : "POST"),
          headers,
          body: body ?? null,
          headersTimeout: timeoutMs,
          bodyTimeout: timeoutMs,
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
        })
        return { url, status: answer.statusCode, headers: answer.headers, text: await read(answer.body) }
      },
      catch: (error) => {
        const code = codeOf(error)
        return new NoAnswer({
          code,
          reason: isLate(code) ? "did not answer in time" : (reasons[code] ?? `gave no answer in HTTP (${code})`)
        })
      }
    })
  })

/** The value of a header that has one. */
export const header = ({ headers }: Pick<Answer, "headers">, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === "string" ? value : value?.[0]
}
