/**
 * One exchange over undici's dispatcher, without the response stream of `undici.request`. It costs less, and `onRequestStart` is
 * called just before the first byte is written, which the wire must know.
 */
import type { SecureContext } from "node:tls"
import { Effect, type Scope } from "effect"
import type { Dispatcher } from "undici"
import * as AnswerBody from "./AnswerBody.ts"
import * as Connecting from "./Connecting.ts"
import * as Families from "./Families.ts"
import { type InvalidSetting, invalid } from "./InvalidSetting.ts"
import { failureOf } from "./Unsent.ts"
import type { WireAnswer, WireRequest } from "./WirePort.ts"

/** The options of a wire on undici. */
export interface Options extends Connecting.Options {
  /** Largest number of sockets to one gateway, each with one request at a time. Further requests wait. Default 64. */
  readonly connections?: number | undefined
  /** Time to resolve the name, connect and finish TLS, in milliseconds. Default 5 000. */
  readonly connectTimeoutMs?: number | undefined
  /** An idle socket is closed after this many milliseconds, or earlier if the server says so. Default 4 000. */
  readonly keepAliveMs?: number | undefined
  /** Longest answer, in bytes. A longer one is cut off and counts as lost. Default 1 MiB. */
  readonly maxAnswerBytes?: number | undefined
}

/** The functions that report the outcome of an exchange. Only the first call counts. */
interface ExchangeOutcome {
  readonly onAnswer: (answer: WireAnswer) => void
  readonly onError: (reason: "NotSent" | "Lost", code: string) => void
  readonly onExpired: (reason: "NotSent" | "Lost") => void
}

/** Starts an exchange. The effect that is returned abandons it. */
type Exchange = (request: WireRequest, outcome: ExchangeOutcome) => Effect.Effect<void>

interface Way {
  readonly secureContext: SecureContext | undefined
  readonly proxy: string | undefined
}

/** HTTP/2 stays off: only with one request per connection at a time it is provable that no byte was written. */
const dispatcherOf = (
  { Agent, ProxyAgent }: Undici,
  {
    connectTimeoutMs: timeout = Families.connectTimeoutMs,
    connections = 64,
    keepAliveMs: keepAliveTimeout = 4_000
  }: Options,
  { proxy: uri, secureContext }: Way
): Dispatcher => {
  const pool = {
    ...{ connections, pipelining: 1, allowH2: false, headersTimeout: 0, bodyTimeout: 0 },
    ...{ keepAliveTimeout, keepAliveMaxTimeout: keepAliveTimeout }
  }
  const tls = secureContext === undefined ? {} : { secureContext }
  const families = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: Families.attemptTimeoutMs(timeout) }
  return uri === undefined
    ? new Agent({ ...pool, connect: { timeout, ...families, ...tls } })
    : new ProxyAgent({
        ...{ ...pool, uri, proxyTunnel: true, connectTimeout: timeout, requestTls: tls },
        proxyTls: { ...families, port: portOf(uri) }
      })
}

/** The port of a proxy, which the type of undici's option requires. */
const portOf = (uri: string): number => {
  const { port, protocol } = new URL(uri)
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port)
}

/** The error on a runtime that replaces undici by a module of its own. */
const unusable = invalid(
  "wire",
  "cannot be undici here: this runtime has one of its own (Bun does). Put PayClient.layerNoDeps on Wire.layerFetch()"
)

/** The part of undici that is used. */
export type Undici = Pick<typeof import("undici"), "Agent" | "ProxyAgent">

/**
 * Loads undici when the first wire is made, so that a program on another wire needs none. The mark `@__PURE__` lets a bundler
 * leave it out of such a program.
 */
export const load: Effect.Effect<Undici> = /* @__PURE__ */ Effect.promise(async () => (await import("undici")).default)

/** Makes exchanges on a pool that closes with the scope. Fails if an option cannot be used. */
export const make = (options: Options, undici: Undici): Effect.Effect<Exchange, InvalidSetting, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.gen(function* () {
        const proxy = yield* Effect.fromResult(Connecting.proxyOf(options))
        const secureContext = yield* Effect.fromResult(Connecting.secureContext(options))
        const dispatcher = dispatcherOf(undici, options, { proxy, secureContext })
        return "dispatch" in dispatcher ? dispatcher : yield* unusable
      }),
      (agent) => Effect.promise(() => agent.close())
    ),
    (agent): Exchange => {
      const maxAnswerBytes = options.maxAnswerBytes ?? AnswerBody.longest
      return (request, outcome) => {
        const pathAt = request.url.indexOf("/", request.url.indexOf("//") + 2)
        const handler = new Handler(outcome, { maxAnswerBytes, timeoutMs: request.timeoutMs })
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

/** Longest timer of Node, in milliseconds. Node fires a longer timer at once. */
const TIMER_MAX_MS = 2 ** 31 - 1

class Handler implements Dispatcher.DispatchHandler {
  readonly #outcome: ExchangeOutcome
  readonly #timer: NodeJS.Timeout
  #controller: Dispatcher.DispatchController | undefined
  #abandoned = false
  #status = 0
  #headers: WireAnswer["headers"] = {}
  readonly #maxAnswerBytes: number
  readonly #body: AnswerBody.AnswerBody

  constructor(
    outcome: ExchangeOutcome,
    { maxAnswerBytes, timeoutMs }: { readonly maxAnswerBytes: number; readonly timeoutMs: number }
  ) {
    this.#outcome = outcome
    this.#maxAnswerBytes = maxAnswerBytes
    this.#body = new AnswerBody.AnswerBody(maxAnswerBytes)
    this.#timer = setTimeout(() => this.#expire(), Math.min(Math.ceil(timeoutMs), TIMER_MAX_MS))
  }

  abandon(): void {
    clearTimeout(this.#timer)
    this.#abandoned = true
    this.#controller?.abort(new Error("abandoned"))
  }

  #expire(): void {
    this.#outcome.onExpired(this.#missing)
    this.abandon()
  }

  /** The meaning of a missing answer at this moment. */
  get #missing(): "NotSent" | "Lost" {
    return this.#controller === undefined ? "NotSent" : "Lost"
  }

  /**
   * Called just before the first byte is written. An error that is thrown here withdraws the request and leaves the socket open.
   */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#abandoned) throw new Error("abandoned")
    this.#controller = controller
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: WireAnswer["headers"]): void {
    this.#status = status
    this.#headers = headers
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#body.add(chunk)) controller.abort(AnswerBody.tooLarge())
  }

  onResponseEnd(): void {
    clearTimeout(this.#timer)
    const coding = this.#headers["content-encoding"]
    let bytes: Uint8Array
    try {
      bytes = AnswerBody.decoded(this.#body.bytes(), coding, this.#maxAnswerBytes)
    } catch (error) {
      this.#outcome.onError("Lost", failureOf(error).code)
      return
    }
    const { buffer, byteLength, byteOffset } = bytes
    const body = Buffer.from(buffer, byteOffset, byteLength).toString("utf8")
    this.#outcome.onAnswer({ status: this.#status, headers: this.#headers, body })
  }

  onRequestUpgrade(controller: Dispatcher.DispatchController): void {
    controller.abort(Object.assign(new Error("upgrade"), { code: "UNEXPECTED_UPGRADE" }))
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    clearTimeout(this.#timer)
    this.#outcome.onError(this.#missing, failureOf(error).code)
  }
}
