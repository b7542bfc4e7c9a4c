/** The bank of the example in docs/operators/adapters.md: the simulated bank behind HTTP paths of its own. */
import { text } from "node:stream/consumers"
import { Acquirer } from "@pay/gateway/Acquirer"
import { BankBooks } from "@pay/gateway/BankBooks"
import { Effect, Redacted } from "effect"
import { serve } from "../../packages/schema/test/Loopback.ts"

const secrets = new Set(["pan", "cvv", "recipient", "authenticationValue"])

const parse = (body: string) =>
  JSON.parse(body, (name, value: unknown) => (secrets.has(name) ? Redacted.make(value) : value))

export interface Answer {
  readonly status: number
  readonly body: string
}

export interface Request {
  readonly path: string
  readonly body: string
}

type Route = (body: string) => Effect.Effect<object, unknown>

const routes = Effect.gen(function* () {
  const acquirer = yield* Acquirer
  const { bookings } = yield* BankBooks
  const result: Readonly<Record<string, Route>> = {
    "/authorize": (body) => acquirer.authorize(parse(body)),
    "/eligible": (body) => acquirer.eligible(parse(body)),
    "/capture": (body) => acquirer.followUp("capture", parse(body)),
    "/void": (body) => acquirer.followUp("void", parse(body)),
    "/refund": (body) => acquirer.followUp("refund", parse(body)),
    "/inquire": (body) => acquirer.inquire(parse(body)),
    "/bookings": (body) => {
      const { after, ...period } = parse(body)
      return Effect.map(bookings(period, after), (page) => ({ ...page, next: page.next ?? null }))
    }
  }
  return result
})

/** Takes requests with `secret` until the scope closes. `instead`: the answer to every one of them. */
export const open = Effect.fnUntraced(function* (secret: string, instead?: Answer) {
  const existing = yield* routes
  const requests: Array<Request> = []
  const answer = async (path: string, authorization: string | undefined, body: string): Promise<Answer> => {
    requests.push({ path, body })
    const route = existing[path]
    if (instead !== undefined) return instead
    if (authorization !== `Bearer ${secret}` || route === undefined) return { status: 404, body: "" }
    return { status: 200, body: JSON.stringify(await Effect.runPromise(route(body))) }
  }
  const port = yield* serve(async (request, response) => {
    const { body, status } = await answer(request.url ?? "", request.headers.authorization, await text(request))
    response.writeHead(status).end(body)
  })
  return { url: `http://127.0.0.1:${port}`, requests }
})
