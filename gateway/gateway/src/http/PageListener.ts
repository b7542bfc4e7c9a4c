/** Serves pages on a socket of its own, within limits: what operators ask, and what a simulator of banks shows. */
import * as Http from "node:http"
import * as Port from "@pay/schema/Port"
import { Data, Effect, Exit, Fiber } from "effect"
import * as Connections from "./Connections.ts"
import type { PageAnswer, PageRequest } from "./Pages.ts"
import * as RequestBody from "./RequestBody.ts"
import * as Respond from "./Respond.ts"

/** The address is in use, or must not be used. */
export class ListenError extends Data.TaggedError("ListenError")<{ readonly message: string }> {}

export interface Options {
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  /** What sets the port, for the message about one that is taken. */
  readonly setting: string
  /** Largest number of bytes in the body of a request. */
  readonly maxBodyBytes: number
  /** Whether a request ends when its caller has left. Otherwise it is carried out to its end. */
  readonly endsWithCaller?: boolean
}

type Handle = (request: Omit<PageRequest, "publicBaseUrl">) => Effect.Effect<PageAnswer>

/** No answer takes as long as `unreadAnswerMs`. */
const limits = { connections: 1024, addressConnections: 1024, idleConnectionMs: 60_000, unreadAnswerMs: 600_000 }

const plain = (status: number, body: string): PageAnswer => ({
  status,
  headers: { "content-type": "text/plain" },
  body
})

/** Returns the port on which a server listens, and its address. */
export const addressOf = (server: Http.Server, { host, port }: Pick<Options, "host" | "port">) => {
  const address = server.address()
  const own = typeof address === "object" ? (address?.port ?? port) : port
  return { port: own, url: `http://${host.includes(":") ? `[${host}]` : host}:${own}` }
}

/** Completes when the server listens. */
export const bind = (server: Http.Server, { host, port, setting }: Pick<Options, "host" | "port" | "setting">) =>
  Effect.callback<void, ListenError>((resume) => {
    const fail = (reason: string) =>
      resume(
        Effect.fail(
          new ListenError({
            message: `Cannot listen on ${host}:${port} (${reason}); choose another port with ${setting}, 0 for any`
          })
        )
      )
    server.once("error", ({ message }) => fail(message))
    if (!Port.isPort(port)) return fail(`a port is ${Port.expected}`)
    server.listen(port, host, () => resume(Effect.void))
  })

/** Opens the port. It is closed with the scope. */
const open = (options: Options) =>
  Effect.acquireRelease(
    Effect.suspend(() => {
      const server = Http.createServer()
      return Effect.as(bind(server, options), server)
    }),
    (server) =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )

/** Listens until the scope closes. `make` gets the address, and returns what answers. */
export const listen = Effect.fnUntraced(function* <E, R>(
  options: Options,
  make: (url: string) => Effect.Effect<Handle, E, R>
) {
  const server = yield* open(options)
  const { url } = addressOf(server, options)
  const handle = yield* make(url)
  const run = Effect.runForkWith(yield* Effect.context<never>())
  const connections = Connections.limit(server, { ...limits, keyOf: () => undefined, onRefused: () => undefined })
  server.on("request", (request, response) => {
    if (!connections.begin(request, response)) return
    const answer = (made: Effect.Effect<PageAnswer>) => {
      const fiber = run(made)
      fiber.addObserver((exit) =>
        Respond.writePage(response, Exit.isSuccess(exit) ? exit.value : plain(500, "This failed\n"), false)
      )
      if (options.endsWithCaller === true)
        response.on("close", () => void (response.writableEnded || run(Fiber.interrupt(fiber))))
    }
    RequestBody.read(request, options.maxBodyBytes, {
      onBody: (body) => {
        connections.received(request)
        const { headers, method = "", socket, url: target = "" } = request
        const [path = "", ...query] = target.split("?")
        answer(
          body === undefined || !path.startsWith("/")
            ? Effect.succeed(plain(400, "The target is a path, and the body is UTF-8\n"))
            : handle({ method, path, query: query.join("?"), headers, body, remoteAddress: socket.remoteAddress ?? "" })
        )
      },
      onRefused: ({ message, status }) => answer(Effect.succeed(plain(status, message)))
    })
  })
  return url
})
