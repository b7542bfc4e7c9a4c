/** A shop of the simplest kind, for tests of the world around it: it signs requests, sends each once, and receives callbacks. */
import * as Http from "node:http"
import * as Sandbox from "@pay/sandbox/Sandbox"
import type { Dialect } from "@pay/schema/Dialect"
import * as Dialects from "@pay/schema/Dialect"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Clock, Context, Effect, Layer, Schedule } from "effect"
import type { Action, FaultAt, Order } from "../src/plan/Payment.ts"
import * as AnswerFacts from "../src/world/AnswerFacts.ts"
import * as MerchantKeys from "../src/world/MerchantKeys.ts"
import { World } from "../src/world/World.ts"

/** What a request came to: the answer, or how the connection ended. */
export interface Outcome {
  /** `200 accepted`, `reset`, `cut`, `refused`, `no answer in time`. */
  readonly text: string
  readonly fields: Readonly<Record<string, string>>
  readonly headers: Http.IncomingHttpHeaders
}

export interface Received {
  readonly url: string
  readonly parameters: URLSearchParams
  readonly headers: Http.IncomingHttpHeaders
}

export interface SendOptions {
  readonly timeoutMs?: number
  readonly endpointId?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Keeps connections from one request to the next. Absent: each has a connection of its own. */
  readonly agent?: Http.Agent
}

export class WorldShop extends Context.Service<
  WorldShop,
  {
    readonly send: (
      name: PayApi.Name,
      fields: Readonly<Record<string, string>>,
      options?: SendOptions
    ) => Effect.Effect<Outcome>
    /** The callbacks of one order, by the name in their address. */
    readonly callbacks: (order: Order) => ReadonlyArray<Received>
    readonly callbackUrl: (order: Order) => string
    /** Sets the status with which later callbacks are answered. */
    readonly answerWith: (status: number) => void
  }
>()("@pay/crashtest/test/WorldShop") {}

const hangUps: Readonly<Record<string, string>> = { ECONNRESET: "reset", ECONNREFUSED: "refused", EPIPE: "reset" }

const ended = (error: NodeJS.ErrnoException): string => hangUps[error.code ?? ""] ?? error.message

const post = (
  url: string,
  headers: Http.OutgoingHttpHeaders,
  body: string,
  timeoutMs: number,
  agent: Http.Agent | false
): Effect.Effect<Outcome> =>
  Effect.callback((resume) => {
    const end = (text: string) => {
      clearTimeout(timer)
      resume(Effect.succeed({ text, fields: {}, headers: {} }))
    }
    const request = Http.request(url, { method: "POST", agent, headers }, (answer) => {
      const chunks: Array<Buffer> = []
      answer.on("data", (chunk: Buffer) => chunks.push(chunk))
      answer.once("error", () => end("cut"))
      answer.once("end", () => {
        clearTimeout(timer)
        const received = { status: answer.statusCode ?? 0, rawHeaders: [], body: Buffer.concat(chunks) }
        const fields = AnswerFacts.fieldsOf(received)
        const type = fields.type ?? answer.headers["content-type"] ?? ""
        const says = type.startsWith("async") ? "accepted" : (fields.status ?? type)
        resume(Effect.succeed({ text: `${received.status} ${says}`, fields, headers: answer.headers }))
      })
    })
    const timer = setTimeout(() => {
      end("no answer in time")
      request.destroy()
    }, timeoutMs)
    request.once("error", (error) => end(ended(error)))
    request.end(body)
  })

const endpointsOf = { json: Sandbox.endpoints, pairs: Sandbox.olderMerchant.endpoints } as const

let nonces = 0

export const layer = (dialect: Dialect) =>
  Layer.effect(
    WorldShop,
    Effect.gen(function* () {
      const { baseUrl } = yield* World
      const keys = MerchantKeys.of(dialect)
      const received: Array<Received> = []
      let status = 200
      const server = Http.createServer((request, response) => {
        const { headers, url = "" } = request
        received.push({ url, headers, parameters: new URL(url, "http://shop.test").searchParams })
        response.writeHead(status).end()
      })
      const port = yield* Effect.acquireRelease(
        Effect.callback<number>((resume) => {
          server.listen(0, "127.0.0.1", () => {
            const address = server.address()
            resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
          })
        }),
        () =>
          Effect.callback<void>((resume) => {
            server.close(() => resume(Effect.void))
            server.closeAllConnections()
          })
      )
      return {
        send: (name, fields, { agent, endpointId = endpointsOf[dialect].usd, headers = {}, timeoutMs = 5000 } = {}) =>
          Effect.gen(function* () {
            const operation = PayApi.operations[name]
            const url = `${baseUrl}${operation.path}/${endpointId}`
            const timestampSeconds = Math.floor((yield* Clock.currentTimeMillis) / 1000)
            nonces += 1
            const parameters = Object.entries({
              ...("login" in operation.fields ? { login: keys.login } : {}),
              ...fields
            })
            const nonce = `nonce-${nonces}`
            const signed = keys.sign({ operation, url, endpointId, parameters, timestampSeconds, nonce })
            return yield* post(
              url,
              {
                "content-type": "application/x-www-form-urlencoded",
                ...headers,
                ...(dialect === "json" ? { accept: Dialects.mediaType } : {}),
                ...(signed.authorization === undefined ? {} : { authorization: signed.authorization })
              },
              signed.body,
              timeoutMs,
              agent ?? false
            )
          }),
        callbacks: ({ name }) => received.filter(({ url }) => url.startsWith(`/callbacks/${name}?`)),
        callbackUrl: ({ name }) => `http://127.0.0.1:${port}/callbacks/${name}`,
        answerWith: (next) => {
          status = next
        }
      }
    })
  )

let count = 0

/** An order with a name and an amount of its own, in which these faults happen. */
export const order = (faults: ReadonlyArray<FaultAt>, action: Action = "buy"): Order => {
  count += 1
  return {
    case: { number: count, action, faults, killedAt: 0 },
    name: `a${count}`,
    amountMinor: 1000 + count,
    currency: "USD"
  }
}

/** The fields of a sale of this order. */
export const saleOf = (shop: WorldShop["Service"], { amountMinor, name }: Order) => ({
  ...Sample.request(PayApi.operations.SALE),
  client_orderid: name,
  amount: (amountMinor / 100).toFixed(2),
  server_callback_url: shop.callbackUrl({
    case: { number: 0, action: "buy", faults: [], killedAt: 0 },
    name,
    amountMinor,
    currency: ""
  })
})

/** Waits until the crash test has seen so many callbacks of the order, whether or not they reached the shop. */
export const untilCallbacks = Effect.fnUntraced(function* (order: Order, callbacks: number) {
  const world = yield* World
  return yield* Effect.repeat(world.observation(order), {
    schedule: Schedule.spaced("2 millis"),
    until: (observation) => observation.callbacks >= callbacks
  })
})

/** Waits until the condition holds. */
export const until = (holds: () => boolean) =>
  Effect.repeat(Effect.sync(holds), { schedule: Schedule.spaced("2 millis"), until: (isTrue) => isTrue })

/** Opens a page as a customer's browser does, and returns its text. */
export const visit = (url: string): Effect.Effect<string> =>
  Effect.callback((resume) => {
    Http.get(url, { agent: false, headers: { accept: "text/html" } }, (answer) => {
      const chunks: Array<Buffer> = []
      answer.on("data", (chunk: Buffer) => chunks.push(chunk))
      answer.once("end", () => resume(Effect.succeed(Buffer.concat(chunks).toString())))
    }).once("error", (error) => resume(Effect.die(error)))
  })
