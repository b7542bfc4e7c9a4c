/**
 * One exchange over undici's dispatcher, without the response stream of `undici.request`: it costs less, and
 * `onRequestStart` is the exact moment before the first byte is written, which is what the wire must know.
 */
import { Effect, type Scope } from "effect"
import { Agent, type Dispatcher } from "undici"
import type { WireAnswer, WireRequest } from "./Wire.ts"

export interface Options {
  /** Sockets kept to one gateway at most; further requests wait. Default 64. */
  readonly connections?: number
  /** Time to resolve the name, connect and finish TLS, in milliseconds. Default 5 000. */
  readonly connectTimeoutMs?: number
  /** An idle socket is closed after this many milliseconds, or earlier if the server says so. Default 4 000. */
  readonly keepAliveMs?: number
  /** A longer answer is cut off and counts as lost. Default 1 MiB. */
  readonly maxAnswerBytes?: number
  /** PEM of further certificate authorities to trust, for a gateway inside a private network. */
  readonly certificateAuthority?: string
}

export interface Outcome {
  readonly onAnswer: (answer: WireAnswer) => void
  readonly onError: (reason: "NotSent" | "Lost", code: string) => void
}

/** Starts an exchange; the effect it returns abandons it. */
export type Exchange = (request: WireRequest, outcome: Outcome) => Effect.Effect<void>

/** HTTP/2 stays off: one request per connection at a time is what makes "not a byte was written" provable. */
export const make = (options: Options): Effect.Effect<Exchange, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(
        () =>
          new Agent({
            connections: options.connections ?? 64,
            pipelining: 1,
            allowH2: false,
            keepAliveTimeout: options.keepAliveMs ?? 4_000,
            headersTimeout: 0,
            bodyTimeout: 0,
            connect: {
              timeout: options.connectTimeoutMs ?? 5_000,
              ...(options.certificateAuthority === undefined ? {} : { ca: options.certificateAuthority })
            }
          })
      ),
      (agent) => Effect.promise(() => agent.close())
    ),
    (agent): Exchange => {
      const maxAnswerBytes = options.maxAnswerBytes ?? 1_048_576
      return (request, outcome) => {
        const pathAt = request.url.indexOf("/", request.url.indexOf("//") + 2)
        const handler = new Handler(request, outcome, maxAnswerBytes)
        agent.dispatch(
          {
            origin: request.url.slice(0, pathAt),
            path: request.url.slice(pathAt),
            method: "POST",
            headers: request.headers,
            body: request.body
          },
          handler
        )
        return Effect.sync(() => handler.abandon())
      }
    }
  )

class Handler implements Dispatcher.DispatchHandler {
  readonly #request: WireRequest
  readonly #outcome: Outcome
  readonly #maxAnswerBytes: number
  #controller: Dispatcher.DispatchController | undefined
  #abandoned = false
  #status = 0
  #headers: WireAnswer["headers"] = {}
  #chunks: Array<Buffer> = []
  #byteCount = 0

  constructor(request: WireRequest, outcome: Outcome, maxAnswerBytes: number) {
    this.#request = request
    this.#outcome = outcome
    this.#maxAnswerBytes = maxAnswerBytes
  }

  abandon(): void {
    this.#abandoned = true
    this.#controller?.abort(new Error("abandoned"))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#abandoned) {
      controller.abort(new Error("abandoned"))
      return
    }
    this.#controller = controller
    this.#request.onLeave()
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: WireAnswer["headers"]): void {
    this.#status = status
    this.#headers = headers
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#byteCount += chunk.length
    if (this.#byteCount > this.#maxAnswerBytes) {
      controller.abort(Object.assign(new Error("answer too large"), { code: "ANSWER_TOO_LARGE" }))
      return
    }
    this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    const [first] = this.#chunks
    const bytes = first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks)
    this.#outcome.onAnswer({ status: this.#status, headers: this.#headers, body: bytes.toString("utf8") })
  }

  onRequestUpgrade(controller: Dispatcher.DispatchController): void {
    controller.abort(Object.assign(new Error("upgrade"), { code: "UNEXPECTED_UPGRADE" }))
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#outcome.onError(this.#controller === undefined ? "NotSent" : "Lost", codeOf(error))
  }
}

const codeOf = (error: Error): string => ("code" in error && typeof error.code === "string" ? error.code : error.name)
