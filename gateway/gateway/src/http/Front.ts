/**
 * Runs the stages of refusal of a request in their order, which is part of the contract
 * (docs/assumptions.md#order-of-refusals). The server has already checked size and framing. The stages here are path, `Accept`
 * and `Content-Type`, form syntax, authentication, replay, operation enabled; then the operation's own handler checks fields,
 * state and amounts.
 */
import * as Canonical from "@pay/schema/Canonical"
import type * as Dialect from "@pay/schema/Dialect"
import type { FieldProblem } from "@pay/schema/Operation"
import { Context, Effect, Layer } from "effect"
import { type Answer, fromRefused, type RequestRefused, refuse, refuseFields, tooMany } from "../kernel/Answer.ts"
import { AuthClock } from "../kernel/AuthClock.ts"
import { Ids, NoProcessNumber } from "../kernel/Ids.ts"
import * as ProcessLease from "../kernel/ProcessLease.ts"
import * as Rows from "../kernel/Rows.ts"
import * as SerialNumber from "../kernel/SerialNumber.ts"
import { Settings } from "../kernel/Settings.ts"
import * as Spans from "../kernel/Spans.ts"
import { Store, type StoreUnavailable } from "../kernel/Store.ts"
import { type Call, clientOrderIdOf, type Handler, spend } from "../merchants/Call.ts"
import { Directory, type Route } from "../merchants/Directory.ts"
import * as EndpointRules from "../merchants/EndpointRules.ts"
import * as CustomerAddress from "../network/CustomerAddress.ts"
import type * as RateLimit from "../network/RateLimit.ts"
import { Order } from "../orders/record/Order.ts"
import { namedOrder } from "../orders/requests/NamedOrder.ts"
import * as AnswerCount from "./AnswerCount.ts"
import * as Authentication from "./Authentication.ts"
import { Handlers } from "./Handlers.ts"
import * as NewOrders from "./NewOrders.ts"
import * as NormalFields from "./NormalFields.ts"
import * as RefusalLog from "./RefusalLog.ts"
import { accepts, header } from "./RequestHead.ts"
import * as RequestLog from "./RequestLog.ts"
import { isApi, locate, olderFormOf, operationPathOf, pathIdOf, type Target, targetOf } from "./RequestTarget.ts"
import * as SentForm from "./SentForm.ts"
import * as WrittenAnswer from "./WrittenAnswer.ts"

export interface FrontRequest {
  readonly method: string
  /** The part of the URL before the path, which OAuth signatures cover: configured, never taken from `Host`. */
  readonly publicBaseUrl: string
  /** Path and query as received. */
  readonly target: string
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  /** `undefined`: the bytes were not UTF-8. */
  readonly body: string | undefined
  /** Remote address, for rate limits. */
  readonly remoteAddress: string
}

export class Front extends Context.Service<
  Front,
  {
    /** Answers a request. Never fails: a refusal, an unavailable store and a defect are answers too. */
    readonly handle: (request: FrontRequest) => Effect.Effect<WrittenAnswer.WrittenAnswer>
    /** The reason for which it refuses new orders; see {@link NewOrders}. */
    readonly closed: NewOrders.NewOrders["Service"]["closed"]
    /** Number of requests so far for which the store could not serve. */
    readonly storeFailures: () => number
    /** Writes a refusal that was made before the front. Without a request it is written in JSON. */
    readonly refusal: (
      refused: RequestRefused,
      request?: Pick<FrontRequest, "headers"> & Pick<Target, "path">
    ) => WrittenAnswer.WrittenAnswer
  }
>()("@pay/gateway/Front") {}

const keyPattern = /^[\x20-\x7e]{1,255}$/

export const layer = Layer.effect(
  Front,
  Effect.gen(function* () {
    const store = yield* Store
    const directory = yield* Directory
    const handlers = yield* Handlers
    const authClock = yield* AuthClock
    const ids = yield* Ids
    const settings = yield* Settings
    const spanned = yield* Spans.make
    const { closed, closedFor } = yield* NewOrders.NewOrders
    const requestLog = yield* RequestLog.RequestLog
    const alert = yield* AnswerCount.unknownAlert
    let storeFailures = 0
    const perAddress = yield* ProcessLease.sharedLimit(settings.addressRate)
    const perMerchant = yield* ProcessLease.sharedLimit(settings.merchantRate)

    const limited = (limit: RateLimit.RateLimit, key: string, what: string): Effect.Effect<void, RequestRefused> =>
      Effect.suspend(() => {
        const retryAfterMs = limit.take(key, authClock.nowMs())
        return retryAfterMs === undefined ? Effect.void : Effect.fail(tooMany(what, retryAfterMs))
      })

    /** Verifies the sender. `original` is the order whose amount the signature may cover. */
    const authenticate = (
      request: FrontRequest,
      { url }: Target,
      claim: Authentication.Claim,
      route: Route | undefined,
      original: Order | undefined
    ) => {
      const { operation } = claim
      if (operation.signing._tag === "Control") {
        const ownOrder = original !== undefined && original.merchantId === route?.merchant.login ? original : undefined
        return Authentication.control(claim, route, ownOrder)
      }
      const authorization = header(request, "authorization")
      return Authentication.oauth(
        operation.signing,
        {
          url,
          authorization: authorization === "" ? undefined : authorization
        },
        claim,
        route,
        { nowMs: authClock.nowMs(), clockSkewMs: settings.clockSkewMs }
      )
    }

    const stages = Effect.fnUntraced(function* (
      request: FrontRequest,
      target: Target,
      dialect: Dialect.Dialect,
      observed: RequestLog.Observed
    ) {
      const address = CustomerAddress.network(request.remoteAddress)
      yield* limited(perAddress, address, "requests from this address")
      const operationPath = yield* Effect.fromResult(locate(target.path))
      observed.operation = operationPath.operation.name
      observed.endpoint = operationPath.pathId
      if (request.method !== "POST") return yield* refuse("methodNotAllowed", { headers: { allow: "POST" } })

      if (dialect === "json" && !accepts(header(request, "accept"))) return yield* refuse("acceptRequired")
      const { operation, pathId } = operationPath
      const terms = { operation, dialect, most: settings.maxParameters }
      const parameters = yield* Effect.fromResult(SentForm.read(request, target, terms))
      const { fields, problems } = Canonical.fields(operation, parameters, SentForm.queryOf(target))
      observed.clientOrderId = clientOrderIdOf(fields)
      observed.orderId = fields.orderid
      const route = directory.route(pathId)
      const rows = Rows.loadedOnce(store)
      const original = Authentication.coversOrderAmount(operation, fields)
        ? yield* rows.load(Order, [fields.orderid ?? ""])
        : undefined
      const claim = { operation, dialect, pathId, parameters, fields, problems }
      const authenticated = authenticate(request, target, claim, route, original)
      observed.verdict = Authentication.verdict(authenticated)
      const sender = yield* Effect.fromResult(authenticated)
      if (route === undefined) return yield* refuse("authenticationFailed")
      observed.merchant = route.merchant.login
      yield* limited(perMerchant, route.merchant.login, "requests of this merchant")

      const handler: Handler | undefined = handlers.get(operation.name)
      const normal = NormalFields.of(operation, fields)
      const key = request.headers["idempotency-key"]
      const call: Call = {
        operation,
        dialect,
        route,
        merchant: route.merchant,
        fields: normal.fields,
        idempotencyKey: typeof key === "string" && operation.acts !== "reads" ? key : undefined,
        signsOrderAmount: sender.signsOrderAmount,
        rows,
        nonce: sender.nonce
      }
      if (sender.nonce.writes.length === 0) return yield* serve(call, handler, key, problems, normal)
      const served = Effect.suspend(() => serve(call, handler, key, problems, normal))
      if (handler?.reads === true) return yield* Effect.andThen(spend(store, sender.nonce), served)
      return yield* Effect.catchTag(served, "RequestRefused", (refused) =>
        Effect.andThen(spend(store, sender.nonce), Effect.fail(refused))
      )
    })

    /** Whether the order's endpoint allows the operation. The path may name any endpoint of the merchant, so both must allow it. */
    const isTakenByOrder = Effect.fnUntraced(function* (call: Call) {
      const { fields, operation } = call
      if (operation.acts !== "onOrder" || fields.orderid === undefined) return true
      const order = yield* namedOrder(call.rows, call)
      return order === undefined || EndpointRules.isTakenBy(directory.endpoint(order.endpointId), operation)
    })

    /** Runs the stages after authentication. */
    const serve = Effect.fnUntraced(function* (
      call: Call,
      handler: Handler | undefined,
      key: string | ReadonlyArray<string> | undefined,
      problems: ReadonlyArray<FieldProblem>,
      normal: NormalFields.NormalFields
    ) {
      const { fields, operation, route } = call
      if (key !== undefined && (typeof key !== "string" || !keyPattern.test(key)))
        return yield* refuse("idempotencyKeyInvalid")
      const reads = handler?.reads === true
      if (handler !== undefined && !reads && problems.length === 0) {
        const again = yield* handler.replay(call)
        if (again !== undefined) {
          yield* spend(store, call.nonce)
          return again
        }
      }
      const allowed = route.endpoints.filter((endpoint) => EndpointRules.isTaken(endpoint, operation))
      if (handler === undefined || allowed.length === 0 || !(yield* isTakenByOrder(call))) {
        const message =
          allowed.length > 0
            ? "This operation is not enabled on the endpoint that took the order"
            : route.endpoints.every(({ enabled }) => !enabled)
              ? "This endpoint is switched off"
              : undefined
        const enabled = handler === undefined ? {} : { message }
        return yield* refuse("operationNotEnabled", { ...enabled, clientOrderId: clientOrderIdOf(fields) })
      }
      const endpoints = allowed.filter(({ dialects }) => dialects.has(call.dialect))
      if (endpoints.length === 0) return yield* EndpointRules.dialectRefusal(call)
      if (!reads) {
        const reason = yield* closedFor(fields)
        if (reason !== undefined && NewOrders.stops(reason, operation))
          return yield* NewOrders.refusal(reason, clientOrderIdOf(fields))
      }
      const others = [...problems, ...Authentication.tooFine(operation, fields, route)]
      const flaws = NormalFields.allProblems(others, normal, operation, call.dialect)
      if (flaws.length > 0) return yield* refuseFields(flaws, clientOrderIdOf(fields))
      return yield* spanned(handler.perform(call, endpoints), `operation.${operation.command}`)
    })

    const hasPairs = settings.dialects.includes("pairs")
    /**
     * Returns the dialect of the answer. Only an endpoint with the older dialect answers in it, or a group with such an endpoint. An
     * address without an endpoint answers in the specification's form, whatever `Accept` says.
     */
    const dialectOf = (request: Pick<FrontRequest, "headers">, { path }: Pick<Target, "path">): Dialect.Dialect => {
      if (!hasPairs || !isApi(path) || accepts(header(request, "accept"))) return "json"
      const pathId = pathIdOf(path)
      const route = pathId === undefined ? undefined : directory.route(pathId)
      return route?.endpoints.some(({ dialects }) => dialects.has("pairs")) === true ? "pairs" : "json"
    }

    const refusedAnswer = (refused: RequestRefused): Answer =>
      fromRefused(refused, SerialNumber.first(ids.nextOrRandom()))
    const write = (answer: Answer, dialect: Dialect.Dialect, { path }: Pick<Target, "path">) =>
      WrittenAnswer.write(answer, dialect, dialect === "json" ? "json" : olderFormOf(path))

    const ended = (observed: RequestLog.Observed, answer: Answer, refused?: RequestRefused): Effect.Effect<Answer> => {
      requestLog.end(observed, answer, refused)
      return AnswerCount.count(answer)
    }
    const refusedWith = (observed: RequestLog.Observed, refused: RequestRefused): Effect.Effect<Answer> =>
      Effect.suspend(() => ended(observed, refusedAnswer(refused), refused))
    const failed = (error: RequestRefused | StoreUnavailable, { path }: Target, observed: RequestLog.Observed) =>
      error._tag === "RequestRefused"
        ? Effect.andThen(RefusalLog.log(error, operationPathOf(path)), refusedWith(observed, error))
        : Effect.suspend(() => {
            storeFailures += 1
            const refused = error.outcomeUnknown
              ? refuse("serverError")
              : NewOrders.refusal(NewOrders.unwritable, observed.clientOrderId)
            return Effect.andThen(Effect.logError("The store cannot serve", error), refusedWith(observed, refused))
          })
    const answerDefect = (defect: unknown, observed: RequestLog.Observed): Effect.Effect<Answer> =>
      defect instanceof NoProcessNumber
        ? Effect.andThen(Effect.logError(defect.message), refusedWith(observed, refuse("unavailable")))
        : Effect.andThen(
            Effect.logError("A request failed with a defect", defect),
            refusedWith(observed, refuse("serverError"))
          )

    const handle = (request: FrontRequest) =>
      Effect.suspend(() => {
        const observed = requestLog.begin()
        const target = targetOf(request.publicBaseUrl, request.target)
        const dialect = dialectOf(request, target)
        const answer = Effect.catchDefect(
          Effect.matchEffect(stages(request, target, dialect, observed), {
            onFailure: (error) => failed(error, target, observed),
            onSuccess: (answer) => ended(observed, answer)
          }),
          (defect) => answerDefect(defect, observed)
        )
        return dialect === "json"
          ? Effect.map(answer, WrittenAnswer.json)
          : Effect.map(Effect.tap(answer, alert), (answer) => write(answer, dialect, target))
      })
    return Front.of({
      handle,
      closed,
      storeFailures: () => storeFailures,
      refusal: (refused, request) =>
        request === undefined
          ? WrittenAnswer.json(refusedAnswer(refused))
          : write(refusedAnswer(refused), dialectOf(request, request), request)
    })
  })
)
