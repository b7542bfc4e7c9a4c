/**
 * A small load balancer: each request goes to the next gateway whose `/readyz` says that it is ready, and to another one where the
 * connection is refused. A request that may have arrived is never sent again.
 */
import * as Http from "node:http"
import { Effect, Schedule } from "effect"
import { listen } from "../../packages/schema/test/Loopback.ts"

export interface Balancer {
  readonly url: string
  /** The status of each answer so far, how often it was given; `cut` where a connection broke. */
  readonly answers: ReadonlyMap<number | "cut", number>
  /** Ports of the gateways that are ready as far as it knows. */
  readonly ready: () => ReadonlyArray<number>
}

interface Target {
  readonly port: number
  isReady: boolean
}

const lookEvery = "50 millis"
const readyWithinMs = 1_000
/** A gateway that does not answer by then has its connection cut: it may have been paused. */
const answerWithinMs = 15_000
/** How long a request is held while nobody takes it. */
const heldForMs = 10_000

const look = (target: Target) =>
  Effect.callback<void>((resume) => {
    const settle = (isReady: boolean) => {
      target.isReady = isReady
      resume(Effect.void)
    }
    const request = Http.get({
      port: target.port,
      host: "127.0.0.1",
      path: "/readyz",
      timeout: readyWithinMs,
      agent: false
    })
    request.on("response", (response) => {
      response.resume()
      settle(response.statusCode === 200)
    })
    request.on("timeout", () => request.destroy())
    request.on("error", () => settle(false))
  })

export const make = Effect.fnUntraced(function* (ports: ReadonlyArray<number>) {
  const targets: ReadonlyArray<Target> = ports.map((port) => ({ port, isReady: false }))
  const answers = new Map<number | "cut", number>()
  let turn = 0
  for (const target of targets) yield* Effect.forkScoped(Effect.repeat(look(target), Schedule.spaced(lookEvery)))

  const count = (answer: number | "cut") => answers.set(answer, (answers.get(answer) ?? 0) + 1)

  /** The gateways that are ready, each time from another one on; the others are tried too where nobody is. */
  const inTurn = (): ReadonlyArray<Target> => {
    turn += 1
    const all = [...targets.slice(turn % targets.length), ...targets.slice(0, turn % targets.length)]
    const ready = all.filter(({ isReady }) => isReady)
    return ready.length === 0 ? all : ready
  }

  const forward = (
    request: Http.IncomingMessage,
    response: Http.ServerResponse,
    body: Buffer,
    [target, ...others]: ReadonlyArray<Target>,
    untilMs: number
  ): void => {
    if (target === undefined) {
      if (performance.now() < untilMs)
        return void setTimeout(() => forward(request, response, body, inTurn(), untilMs), 50)
      count(503)
      return void response.writeHead(503, { "retry-after": "1" }).end()
    }
    const { headers, method, url: path } = request
    const onward = Http.request({
      ...{ port: target.port, host: "127.0.0.1", method, path, headers },
      ...{ agent: false, timeout: answerWithinMs }
    })
    onward.on("timeout", () => onward.destroy())
    onward.on("response", (answer) => {
      count(answer.statusCode ?? 0)
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
      answer.on("error", () => response.destroy())
    })
    onward.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED") {
        target.isReady = false
        return forward(request, response, body, others, untilMs)
      }
      count("cut")
      response.destroy()
    })
    onward.end(body)
  }

  const server = Http.createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      forward(request, response, Buffer.concat(chunks), inTurn(), performance.now() + heldForMs)
    })
  })
  const url = `http://127.0.0.1:${yield* listen(server)}`
  const ready = () => targets.filter(({ isReady }) => isReady).map(({ port }) => port)
  return { url, answers, ready } satisfies Balancer
})
