/** `pay listen`: receives, verifies, prints and forwards callbacks as they arrive. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { join } from "node:path"
import { LogText } from "@pay/gateway/OperatorApi"
import * as Port from "@pay/schema/Port"
import * as CallbackReceiver from "@pay/transport/CallbackReceiver"
import { Effect, Redacted, Result } from "effect"
import { commands } from "../Commands.ts"
import * as Flags from "../command/Flags.ts"
import * as Credentials from "../request/Credentials.ts"
import { nowMs, nowSeconds, variables } from "../terminal/Environment.ts"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as Output from "../terminal/Output.ts"
import * as Program from "../terminal/Program.ts"
import * as StateFile from "../terminal/StateFile.ts"
import { UsageError } from "../terminal/UsageError.ts"
import * as CallbackForward from "./CallbackForward.ts"
import * as CallbackHistory from "./CallbackHistory.ts"

const mostBytes = 256 * 1024
const patienceMs = 2000

/** The fields of a callback that the history keeps. None contains a digit of a card; the order's number is the gateway's own. */
const shown = [
  "status",
  "orderid",
  "client_orderid",
  "type",
  "amount",
  "currency",
  "error_code",
  "error_message",
  "processor-tx-id",
  "recurring-payment-id",
  "charge-date"
] as const

const arrived = async (request: IncomingMessage): Promise<CallbackForward.Arrived | undefined> => {
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > mostBytes) return undefined
    chunks.push(bytes)
  }
  const { headers, method = "GET", rawHeaders, url = "/" } = request
  return { method, target: url, headers, rawHeaders, body: Buffer.concat(chunks) }
}

interface Listening {
  readonly keys: CallbackReceiver.Keys
  readonly forward: URL | undefined
  readonly history: CallbackHistory.History
  readonly show: (entry: CallbackHistory.Entry) => void
}

type Judgement = Pick<CallbackHistory.Entry, "signature" | "problem" | "callback" | "webhookId">

/** Verifies a request. A returning browser posts its fields as a form, and the gateway sends those of a callback as a query or JSON. */
const judge = ({ body, headers, target }: CallbackForward.Arrived, keys: CallbackReceiver.Keys): Judgement => {
  const verified = CallbackReceiver.verifyAt({ url: target, headers, body: body.toString() }, keys, nowSeconds())
  if (Result.isFailure(verified))
    return { signature: "wrong", problem: verified.failure.detail, callback: {}, webhookId: null }
  const { success } = verified
  const callback = shown.flatMap((name) => {
    const value = success[name]
    return value === undefined ? [] : [[name, name === "orderid" ? value : LogText.of(value)] as const]
  })
  return {
    signature: "right",
    problem: "",
    callback: Object.fromEntries(callback),
    webhookId: success.webhookId ?? null
  }
}

const forwardedOf = async (request: CallbackForward.Arrived, to: URL) => {
  const begunMs = nowMs()
  const answer = await CallbackForward.forward(to, request)
  return { answer, tookMs: nowMs() - begunMs }
}

/** Returns the answer to the gateway: that of the merchant's program or, without one, 200 if the signature is right. */
const answerOf = async (
  request: CallbackForward.Arrived,
  judgement: Judgement,
  { forward }: Listening
): Promise<{ readonly answer: CallbackForward.Answer; readonly forwarded: CallbackHistory.Entry["forwarded"] }> => {
  if (forward === undefined) {
    const status = judgement.signature === "right" ? 200 : 400
    return { answer: plain(status, judgement.signature === "right" ? "OK" : judgement.problem), forwarded: null }
  }
  const { answer, tookMs } = await forwardedOf(request, forward)
  return answer._tag === "Answered"
    ? { answer, forwarded: { status: answer.status, tookMs, problem: "" } }
    : {
        answer: plain(502, "The callback could not be forwarded."),
        forwarded: { status: null, tookMs, problem: answer.problem }
      }
}

const plain = (status: number, text: string): CallbackForward.Answer => ({
  _tag: "Answered",
  status,
  rawHeaders: ["Content-Type", "text/plain; charset=utf-8", "Content-Length", String(Buffer.byteLength(text) + 1)],
  body: Buffer.from(`${text}\n`)
})

const handle = async (request: IncomingMessage, response: ServerResponse, listening: Listening): Promise<void> => {
  const received = await arrived(request)
  if (received === undefined) {
    response.writeHead(413, { connection: "close" }).end()
    return
  }
  const at = new Date(nowMs()).toISOString()
  const judgement = judge(received, listening.keys)
  const { answer, forwarded } = await answerOf(received, judgement, listening)
  const status = answer._tag === "Answered" ? answer.status : 502
  const path = LogText.of(received.target.split("?")[0] ?? "")
  const isRepeat = listening.history.hasEvent(judgement.webhookId)
  const entry = { at, method: received.method, path, ...judgement, isRepeat, forwarded, status }
  listening.history.add(entry)
  listening.show(entry)
  if (answer._tag === "Failed") return
  response.writeHead(status, [...CallbackForward.messageHeaders(answer.rawHeaders), "Connection", "close"])
  response.end(answer.body)
}

/** Receives callbacks on the port, while the scope is open. */
const serving = (host: string, port: number, listening: Listening) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly port: number; readonly close: () => Promise<void> }, UsageError>((resume) => {
      const server = createServer((request, response) => {
        handle(request, response, listening).catch(() => response.destroy())
      })
      server.on("error", ({ code }: NodeJS.ErrnoException) =>
        resume(
          Effect.fail(new UsageError(`--host and --port cannot be listened on (${code}): give another port`, "listen"))
        )
      )
      server.listen(port, host, () => {
        const address = server.address()
        /** Requests under way can end first, for a limited time. */
        const close = () =>
          new Promise<void>((resolve) => {
            const impatient = setTimeout(() => server.closeAllConnections(), patienceMs)
            server.close(() => {
              clearTimeout(impatient)
              resolve()
            })
            server.closeIdleConnections()
          })
        resume(Effect.succeed({ port: typeof address === "object" && address !== null ? address.port : port, close }))
      })
    }),
    ({ close }) => Effect.promise(close)
  )

const forwardOf = (given: Flags.Given): URL | undefined => {
  const text = given.flags.get("forward")
  if (text === undefined) return undefined
  const url = URL.parse(text)
  if (url !== null && /^https?:$/.test(url.protocol) && url.search === "" && url.username === "") return url
  throw new UsageError(
    "--forward is an address without query: http://127.0.0.1:3000/callback. A query of your own belongs into server_callback_url, which is signed",
    "listen"
  )
}

const portOf = (given: Flags.Given): number => {
  const port = Port.parse(given.flags.get("port") ?? "4242")
  if (port === undefined) throw new UsageError(`--port must be ${Port.expected}`, "listen")
  return port
}

const historyFile = (given: Flags.Given): string =>
  given.flags.get("history-file") ?? join(StateFile.folderOf(variables()), "callbacks.jsonl")

export const run = async (args: ReadonlyArray<string>): Promise<ExitCode> => {
  const given = Flags.ofCommand(args, commands.listen, "listen")
  if (given.operands.length > 0) throw new UsageError("pay listen takes flags only", "listen")
  const asJson = given.flags.has("json")
  const show = (entry: CallbackHistory.Entry) => Output.print(CallbackHistory.report(entry), asJson)
  if (given.flags.has("history")) {
    for (const entry of CallbackHistory.read(historyFile(given))) show(entry)
    return codes.ok
  }
  const host = given.flags.get("host") ?? "127.0.0.1"
  const port = portOf(given)
  const forward = forwardOf(given)
  const keys = { controlKeys: [Redacted.make(await Credentials.controlKey(given))] }
  const history = CallbackHistory.open(historyFile(given))
  const listening = Effect.gen(function* () {
    const server = yield* serving(host, port, { keys, forward, history, show })
    const url = `http://${host.includes(":") ? `[${host}]` : host}:${server.port}/`
    const text = `Callbacks are received at ${url}: send orders with server_callback_url ${url}
${forward === undefined ? "They are answered here" : `They are forwarded to ${forward.href}`}. Ctrl-C stops pay listen; pay listen --history shows them again.`
    Output.printNote({ text, json: { outcome: "listening", url } }, asJson)
    return yield* Effect.never
  })
  const ended = await Program.run(Effect.scoped(listening))
  if (ended._tag === "Failed") throw ended.error
  return codes.ok
}
