/** Collects the facts about a gateway before the checks start, by requests that have no effect. */
import * as ErrorCode from "@pay/schema/ErrorCode"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import * as Loopback from "@pay/schema/Loopback"
import type { Operation } from "@pay/schema/Operation"
import * as Pairs from "@pay/schema/Pairs"
import * as PayApi from "@pay/schema/PayApi"
import { Clock, Data, Effect, Result } from "effect"
import type { Facts } from "./Capability.ts"
import * as Draft from "./Draft.ts"
import type * as Exchange from "./Exchange.ts"
import * as Expect from "./Expect.ts"
import * as Gateway from "./Gateway.ts"
import * as Settings from "./Settings.ts"
import { tooLate, Unanswered } from "./Unanswered.ts"

/** No gateway was reached: nothing answers at the address, or the server at the address has no operation of the contract. */
export class GatewayUnreachable extends Data.TaggedError("GatewayUnreachable")<{
  readonly code: string
  readonly message: string
}> {}

/** The code of {@link GatewayUnreachable} if a server answers at the address and has no operation of the contract. */
export const noOperations = "HTTP 404"

/** The gateway at an address, and the merchant who calls it. */
export interface Subject {
  readonly baseUrl: string
  readonly settings: Draft.Merchant
}

/** Sends a request within the time limit. Without an answer it succeeds with the reason. */
export type Ask = (message: Exchange.Message) => Effect.Effect<Result.Result<Exchange.Reply, Unanswered>>

/** Codes of refusals that precede the decision about the merchant and the dialect. */
const undecided: ReadonlySet<string | undefined> = new Set(
  [ErrorCode.codes.acceptRequired, ErrorCode.codes.authenticationFailed].map(({ code }) => String(code))
)

/**
 * Returns whether the endpoint accepts the older dialect. It requests the status of an order that does not exist, without the
 * specification's `Accept`.
 */
const acceptsOlder = Effect.fnUntraced(function* ({ baseUrl, settings }: Subject, ask: Ask) {
  const fields = { login: settings.login, client_orderid: "conformance" }
  const nowSeconds = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const context = { baseUrl, settings, nowSeconds, nonce: "" }
  const answer = yield* ask(Draft.make(PayApi.operations.STATUS, fields, { headers: { accept: "*/*" } }, context))
  if (Result.isFailure(answer)) return false
  const reply = answer.success
  const body = reply.body === undefined || reply.isOlder ? Pairs.read(reply.text) : undefined
  return body?.type !== undefined && !undecided.has(body["error-code"])
})

/** A request without a signature and without fields, to an operation or to a path that no gateway has. */
const empty = ({ baseUrl, settings }: Subject, path: string): Exchange.Message => ({
  method: "POST",
  url: `${baseUrl}${path}/${settings.endpoint}`,
  headers: Draft.headersOf(settings),
  body: ""
})

const isOfProtocol = ({ body = {} }: Exchange.Reply): boolean =>
  body.type === "validation-error" || body.type === "error" || "error-code" in body || "error-message" in body

/** Whether the answer to an empty request comes from an operation. A 404 does only if the answer to a path that does not exist differs. */
const isServed = (reply: Exchange.Reply, nowhere: Exchange.Reply | undefined): boolean =>
  reply.status !== 404 ||
  (isOfProtocol(reply) && nowhere !== undefined && Expect.comparable(reply) !== Expect.comparable(nowhere))

const successOf = <A, E>(result: Result.Result<A, E>): A | undefined =>
  Result.isSuccess(result) ? result.success : undefined

/** Returns the operations that the gateway serves. An operation that does not answer is served: its checks report the fault. */
export const served = Effect.fnUntraced(function* (
  subject: Subject,
  ask: Ask,
  onOperation: (done: number) => void,
  concurrency = 4
) {
  const nowhere = successOf(yield* ask(empty(subject, "/api/v2/no-such-operation")))
  let done = 0
  const answers = yield* Effect.forEach(
    PayApi.all,
    (operation: Operation) =>
      Effect.map(ask(empty(subject, operation.path)), (result) => {
        done += 1
        onOperation(done)
        return { operation, result }
      }),
    { concurrency }
  )
  const failures = answers.flatMap(({ result }) => (Result.isFailure(result) ? [result.failure] : []))
  const [failure] = failures
  if (failure !== undefined && failures.length === answers.length)
    return yield* new GatewayUnreachable({ code: failure.code, message: failure.message })
  const operations = answers.filter(({ result }) => Result.isFailure(result) || isServed(result.success, nowhere))
  if (operations.every(({ result }) => Result.isFailure(result)))
    return yield* new GatewayUnreachable({ code: noOperations, message: "every operation is answered with 404" })
  const first = answers.find(({ operation }) => operation.name === "STATUS")?.result
  return { operations: operations.map(({ operation }) => operation), first: first && successOf(first) }
})

/** Returns the function that sends requests within a time limit, and repeats them after a 429 at most so many times. */
export const asking =
  (exchange: Exchange.Exchange, limitSeconds: number, mostRepeats?: number): Ask =>
  (message) =>
    Gateway.sendWithRetry(exchange, message, mostRepeats).pipe(
      Effect.timeoutOrElse({
        duration: `${limitSeconds} seconds`,
        orElse: () => Effect.fail(new Unanswered({ code: tooLate }))
      }),
      Effect.result
    )

/** Reads the gateway's profile and determines the operations that it serves. */
export const of = Effect.fnUntraced(function* (
  subject: Subject & { readonly settings: Settings.Settings },
  exchange: Exchange.Exchange,
  limitSeconds: number,
  onOperation: (done: number) => void
) {
  const { baseUrl, settings } = subject
  const ask = asking(exchange, limitSeconds)
  const { first, operations } = yield* served(subject, ask, onOperation)
  const without = new Set(settings.without)
  const header = first?.headers[GatewayProfile.header]
  const announced = typeof header === "string" ? header : ""
  const named = settings.capabilities ?? []
  const { profile } = GatewayProfile.parse([announced, ...named.filter((each) => !Settings.isWord(each))].join(", "))
  const facts: Facts = {
    settings,
    profile: { ...GatewayProfile.specification, ...profile },
    words: new Set([...named.filter(Settings.isWord), ...(Loopback.isOn(baseUrl) ? ["loopback"] : [])]),
    operations: new Set(operations.flatMap(({ command, name }) => (without.has(command) ? [] : [name]))),
    acceptsOlder: settings.dialect === "pairs" || (yield* acceptsOlder(subject, ask))
  }
  return { facts, announced }
})

/** Whether the gateway answers any of three requests that have no effect. */
export const isThere = ({ baseUrl, settings }: Subject, exchange: Exchange.Exchange, limitSeconds: number) => {
  const { SALE, STATUS } = PayApi.operations
  const paths = [STATUS.path, SALE.path, "/api/v2/no-such-operation"]
  return Effect.raceAll(paths.map((path) => exchange(empty({ baseUrl, settings }, path)))).pipe(
    Effect.as(true),
    Effect.catchTag("Unanswered", () => Effect.succeed(false)),
    Effect.timeoutOrElse({ duration: `${limitSeconds} seconds`, orElse: () => Effect.succeed(false) })
  )
}
