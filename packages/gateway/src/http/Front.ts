/**
 * The way of a request: the stages of refusal in the order that is part of the contract (decisions: which refusal wins).
 * Size and framing come before, in the server; here: path, `Accept` and `Content-Type`, form syntax, authentication,
 * replay, operation enabled, then fields, state and amounts in the operation's own handler.
 */
import * as Canonical from "@pay/schema/Canonical"
import * as EndpointId from "@pay/schema/EndpointId"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as Form from "@pay/signing/Form"
import { Context, Effect, Layer, Metric } from "effect"
import { Directory, type Route } from "../Directory.ts"
import type { Decision } from "../domain/Decision.ts"
import { Order } from "../domain/entities/Order.ts"
import * as SerialNumber from "../domain/SerialNumber.ts"
import { AuthClock } from "../ports/AuthClock.ts"
import { Ids } from "../ports/Ids.ts"
import { Store } from "../ports/Store.ts"
import * as RateLimit from "../RateLimit.ts"
import { Settings } from "../Settings.ts"
import { type Answer, fromRefused, Refused, refuse, refuseFields } from "./Answer.ts"
import * as Authentication from "./Authentication.ts"
import { type Call, clientOrderIdOf, type Handler, spend } from "./Call.ts"
import { Handlers } from "./Handlers.ts"

export interface FrontRequest {
  readonly method: string
  /** What OAuth signatures cover before the path: configured, never built from `Host`. */
  readonly publicBaseUrl: string
  /** Path and query as received. */
  readonly target: string
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  /** Undefined: the bytes were not UTF-8. */
  readonly body: string | undefined
  /** Remote address, for rate limits. */
  readonly remoteAddress: string
}

export class Front extends Context.Service<
  Front,
  {
    /** Never fails: a refusal, an unavailable store and a defect are answers too. */
    readonly handle: (request: FrontRequest) => Effect.Effect<Answer>
    /** The body of a refusal made before the front is reached. */
    readonly refusal: (refused: Refused) => Answer
  }
>()("@pay/gateway/Front") {}

const mediaType = "application/vnd.pay+json"
const formType = "application/x-www-form-urlencoded"

const header = (request: FrontRequest, name: string): string => {
  const value = request.headers[name]
  return typeof value === "string" ? value : value === undefined ? "" : value.join(",")
}

const accepts = (text: string): boolean =>
  text === mediaType ||
  text.split(",").some((part) => {
    const [type = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase())
    return type === mediaType && !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter))
  })

interface Place {
  readonly operation: Operation
  readonly pathId: string
}

/** Splits `/api/v2/sale/123`; a path that names no operation or no number is a 404. */
const locate = (path: string): Place | Refused => {
  const slash = path.lastIndexOf("/")
  const operation = PayApi.byPath.get(path.slice(0, slash))
  if (operation === undefined) return refuse("notFound", { message: "No operation has this path" })
  const pathId = EndpointId.parse(path.slice(slash + 1))
  return pathId === undefined
    ? refuse("notFound", { message: "The path must end with an endpoint id: a decimal number below 2^63" })
    : { operation, pathId }
}

const keyPattern = /^[\x20-\x7e]{1,255}$/

const requests = Metric.counter("pay_requests_total", {
  description: "Answered requests by HTTP status",
  incremental: true
})
const countByStatus = new Map<number, Metric.Counter<number>>()
const count = (status: number): Effect.Effect<void> => {
  const known = countByStatus.get(status) ?? Metric.withAttributes(requests, { status: String(status) })
  if (!countByStatus.has(status)) countByStatus.set(status, known)
  return Metric.update(known, 1)
}

export const layer = Layer.effect(
  Front,
  Effect.gen(function* () {
    const store = yield* Store
    const directory = yield* Directory
    const handlers = yield* Handlers
    const authClock = yield* AuthClock
    const ids = yield* Ids
    const settings = yield* Settings
    const perAddress = RateLimit.make(settings.addressRate)
    const perMerchant = RateLimit.make(settings.merchantRate)

    const limited = (limit: RateLimit.RateLimit, key: string): Refused | undefined => {
      const retryAfterMs = limit.take(key, authClock.nowMs())
      return retryAfterMs === undefined
        ? undefined
        : refuse("rateLimited", { headers: { "retry-after": String(Math.ceil(retryAfterMs / 1000)) } })
    }

    const originalOf = (operation: Operation, fields: Readonly<Record<string, string>>) =>
      Authentication.coversOrderAmount(operation, fields)
        ? store.load(Order, [fields.orderid ?? ""])
        : Effect.succeed(undefined)

    const authenticate = Effect.fnUntraced(function* (
      request: FrontRequest,
      { operation, pathId }: Place,
      parameters: ReadonlyArray<Form.Parameter>,
      fields: Readonly<Record<string, string>>,
      route: Route | undefined
    ) {
      if (operation.signing._tag === "Control") {
        const controls = parameters.filter(([name]) => name === "control").map(([, value]) => value.trim())
        const received = controls.every((control) => control === controls[0]) ? controls[0] : undefined
        const original = yield* originalOf(operation, fields)
        const mine = original !== undefined && original.merchantId === route?.merchant.login ? original : undefined
        const refused = Authentication.control(operation, fields, received, pathId, route, mine)
        return refused ?? { nonce: noNonce }
      }
      const authorization = header(request, "authorization")
      return Authentication.oauth(
        operation.signing,
        {
          url: request.publicBaseUrl + request.target,
          authorization: authorization === "" ? undefined : authorization,
          parameters
        },
        fields,
        route,
        { nowMs: authClock.nowMs(), clockSkewMs: settings.clockSkewMs }
      )
    })

    const stages = Effect.fnUntraced(function* (request: FrontRequest) {
      const crowded = limited(perAddress, request.remoteAddress)
      if (crowded !== undefined) return yield* crowded
      const queryAt = request.target.indexOf("?")
      const place = locate(queryAt === -1 ? request.target : request.target.slice(0, queryAt))
      if (place instanceof Refused) return yield* place
      if (request.method !== "POST") return yield* refuse("methodNotAllowed", { headers: { allow: "POST" } })

      if (!accepts(header(request, "accept"))) return yield* refuse("acceptRequired")
      const [contentType = ""] = header(request, "content-type").split(";")
      if (contentType.trim().toLowerCase() !== formType) return yield* refuse("contentTypeRequired")

      if (request.body === undefined) return yield* refuse("malformedForm", { message: "The body is not UTF-8" })
      const form = Form.parse(request.body)
      if (!form.ok)
        return yield* refuse("malformedForm", {
          message: `The body is not a valid form: ${form.reason} (at ${form.at})`
        })
      if (form.parameters.length > settings.maxParameters) return yield* refuse("tooManyParameters")

      const { operation, pathId } = place
      const { fields, problems } = Canonical.fields(operation, form.parameters)
      const route = directory.route(pathId)
      const proved = yield* authenticate(request, place, form.parameters, fields, route)
      if (proved instanceof Refused) return yield* proved
      if (route === undefined) return yield* refuse("authenticationFailed")
      const tooMany = limited(perMerchant, route.merchant.login)
      if (tooMany !== undefined) return yield* tooMany

      const handler: Handler | undefined = handlers.get(operation.name)
      const key = request.headers["idempotency-key"]
      const call: Call = {
        operation,
        route,
        merchant: route.merchant,
        fields,
        idempotencyKey: typeof key === "string" && operation.acts !== "reads" ? key : undefined,
        nonce: proved.nonce
      }
      const rest = Effect.gen(function* () {
        if (key !== undefined && (typeof key !== "string" || !keyPattern.test(key)))
          return yield* refuse("idempotencyKeyInvalid")
        const again = handler === undefined || problems.length > 0 ? undefined : yield* handler.replay(call)
        if (again !== undefined) {
          yield* spend(store, proved.nonce)
          return again
        }
        const reads = handler?.reads === true
        const able = route.endpoints.filter(
          ({ enabled, operations }) =>
            (enabled || reads) && (operations === undefined || operations.has(operation.name))
        )
        if (handler === undefined || able.length === 0) {
          return yield* refuse("operationNotEnabled", { clientOrderId: clientOrderIdOf(fields) })
        }
        const flaws = [...problems, ...Authentication.tooFine(operation, fields, route)]
        if (flaws.length > 0) return yield* refuseFields(flaws, clientOrderIdOf(fields))
        return yield* handler.perform(call, able)
      })
      if (proved.nonce.writes.length === 0) return yield* rest
      if (handler?.reads === true) return yield* Effect.andThen(spend(store, proved.nonce), rest)
      return yield* Effect.catchTag(rest, "Refused", (refused) =>
        Effect.andThen(spend(store, proved.nonce), Effect.fail(refused))
      )
    })

    const refusal = (refused: Refused): Answer => fromRefused(refused, SerialNumber.first(ids.next()))

    const handle = (request: FrontRequest): Effect.Effect<Answer> =>
      stages(request).pipe(
        Effect.catchTag("Refused", (refused) => Effect.sync(() => refusal(refused))),
        Effect.catchTag("StoreUnavailable", (error) =>
          Effect.as(
            Effect.logError("The store cannot serve", error),
            refusal(refuse(error.outcomeUnknown ? "serverError" : "unavailable"))
          )
        ),
        Effect.catchDefect((defect) =>
          Effect.as(Effect.logError("A request died", defect), refusal(refuse("serverError")))
        ),
        Effect.tap((answer) => count(answer.status))
      )
    return Front.of({ handle, refusal })
  })
)

const noNonce: Decision = { guards: [], writes: [] }
