/** The bank of the drill: an HTTP server with words of its own, which fails in whichever way an incident says. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { text } from "node:stream/consumers"
import { Effect, Schema } from "effect"
import * as ServerAccount from "../postgres/ServerAccount.ts"
import * as BankBooks from "./BankBooks.ts"

/**
 * `slow`: it books at once and answers after the gateway's deadline. `failing`: it books every second request and closes the connection, and
 * answers 503 to the others. `nonsense`: every answer is one that no contract has, and every second request is booked.
 */
export type Conduct = "well" | "slow" | "failing" | "nonsense"

export interface Bank {
  readonly url: string
  readonly secret: string
  readonly books: BankBooks.BankBooks
  readonly behave: (conduct: Conduct) => Effect.Effect<void>
  /** Refuses connections and cuts those that are open, until {@link open}. */
  readonly close: Effect.Effect<void>
  readonly open: Effect.Effect<void>
  /** How many requests came, by what was asked. */
  readonly requests: ReadonlyMap<string, number>
}

const slowMs = 6_000
const pageSize = 100

const Instruction = Schema.fromJsonString(
  Schema.Struct({
    id: Schema.String,
    type: Schema.Literals(BankBooks.types),
    parent: Schema.optionalKey(Schema.String),
    shop: Schema.String,
    shopOrder: Schema.String,
    amount: Schema.String,
    currency: Schema.String,
    card: Schema.optionalKey(Schema.Struct({ code: Schema.optionalKey(Schema.String) }))
  })
)
const read = Schema.decodeUnknownSync(Instruction)

interface Answer {
  readonly status: number
  readonly body: object
}

const answerOf = (booking: BankBooks.Booking): Answer => ({
  status: 200,
  body: {
    id: booking.id,
    state: booking.state,
    ...(booking.state === "booked"
      ? { approval: String(booking.sequence).padStart(6, "0"), number: `B${booking.sequence}` }
      : { reason: { code: "116", text: "Insufficient funds" } })
  }
})

/** Answers that no adapter may take for an outcome. Each ends the response, or leaves it without an end. */
const nonsense: ReadonlyArray<(response: ServerResponse) => void> = [
  (response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>We will be back soon</html>"),
  (response) => response.writeHead(200).end(),
  (response) => response.writeHead(204).end(),
  (response) => response.writeHead(200).end('{"state":"boo'),
  (response) => response.writeHead(200).end('{"state":"approved","approval":"1","number":"1"}'),
  (response) => response.writeHead(200).end('{"state":"booked","approval":831000}'),
  (response) => response.writeHead(200).end('{"state":"refused","reason":{"code":"N7"}}'),
  (response) => response.writeHead(500).end('{"state":"refused","reason":{"code":"116","text":"no"}}'),
  (response) => response.writeHead(302, { location: "https://bank.example/login" }).end(),
  (response) => response.writeHead(429, { "retry-after": "1" }).end(),
  (response) => void response.writeHead(200, { "content-length": "100" }).write("{"),
  (response) => void response.writeHead(200, { "content-length": "100" }).write("{", () => response.destroy())
]

export const make = Effect.gen(function* () {
  const books = BankBooks.make()
  const requests = new Map<string, number>()
  const secret = "the secret of the drill's bank"
  const sockets = new Set<Socket>()
  const port = yield* ServerAccount.freePort
  let conduct: Conduct = "well"
  let turn = 0

  const book = (body: string): Answer => {
    const { card, ...instruction } = read(body)
    return answerOf(books.book({ ...instruction, code: card?.code }, Date.now()))
  }

  const route = (request: IncomingMessage, body: string): Answer => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://bank")
    const [, , id] = /^(\/v1\/operations)(?:\/([^/]+))?$/.exec(pathname) ?? []
    if (request.headers.authorization !== `Bearer ${secret}`) return { status: 401, body: {} }
    if (request.method === "POST") return book(body)
    if (id !== undefined) {
      const booking = books.find(decodeURIComponent(id))
      return booking === undefined ? { status: 404, body: { state: "absent" } } : answerOf(booking)
    }
    const number = (name: string) => Number(searchParams.get(name) ?? 0)
    const items = books.page(number("from"), number("to"), number("after"), pageSize)
    const next = items.length < pageSize ? null : (items.at(-1)?.sequence ?? null)
    return { status: 200, body: { items: items.map(({ code: _, repeats: __, ...item }) => item), next } }
  }

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request)
    const what = request.method === "POST" ? read(body).type : /\?/.test(request.url ?? "") ? "list" : "inquiry"
    requests.set(what, (requests.get(what) ?? 0) + 1)
    turn += 1
    const send = ({ body, status }: Answer) => response.writeHead(status).end(JSON.stringify(body))
    if (conduct === "failing" && turn % 2 === 0) return void send({ status: 503, body: {} })
    if (conduct === "nonsense") {
      if (turn % 2 === 0) route(request, body)
      return nonsense[turn % nonsense.length]?.(response)
    }
    const answer = route(request, body)
    if (conduct === "failing") return void request.socket.destroy()
    if (conduct === "slow") return void setTimeout(() => send(answer), slowMs).unref()
    send(answer)
  }

  const server = createServer((request, response) => {
    // A request that was cut has no answer.
    respond(request, response).catch(() => response.destroy())
  })
  server.on("connection", (socket: Socket) => {
    sockets.add(socket.on("error", () => undefined).on("close", () => sockets.delete(socket)))
  })
  const open = Effect.callback<void>((resume) => void server.listen(port, "127.0.0.1", () => resume(Effect.void)))
  const close = Effect.callback<void>((resume) => {
    server.close(() => resume(Effect.void))
    for (const socket of sockets) socket.destroy()
  })
  yield* Effect.acquireRelease(open, () => Effect.suspend(() => (server.listening ? close : Effect.void)))
  const bank: Bank = {
    ...{ books, close, open, requests, secret, url: `http://127.0.0.1:${port}` },
    behave: (next) =>
      Effect.sync(() => {
        conduct = next
      })
  }
  return bank
})
