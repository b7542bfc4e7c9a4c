/**
 * Runs the stages of refusal until the sender is verified: rate, path, `Accept`, form syntax, authentication, and the rate of the
 * merchant.
 */
import * as Canonical from "@pay/schema/Canonical"
import type * as Dialect from "@pay/schema/Dialect"
import type { FieldProblem } from "@pay/schema/Operation"
import { Effect } from "effect"
import { type RequestRefused, refuse, tooMany } from "../kernel/Answer.ts"
import { AuthClock } from "../kernel/AuthClock.ts"
import * as ProcessLease from "../kernel/ProcessLease.ts"
import * as Rows from "../kernel/Rows.ts"
import { Settings } from "../kernel/Settings.ts"
import { Store } from "../kernel/Store.ts"
import { type Call, clientOrderIdOf } from "../merchants/Call.ts"
import { Directory, type Route } from "../merchants/Directory.ts"
import * as CustomerAddress from "../network/CustomerAddress.ts"
import type * as RateLimit from "../network/RateLimit.ts"
import { Order } from "../orders/record/Order.ts"
import * as Authentication from "./Authentication.ts"
import * as NormalFields from "./NormalFields.ts"
import * as OAuthSender from "./OAuthSender.ts"
import { accepts, header, type ReceivedRequest } from "./RequestHead.ts"
import type * as RequestLog from "./RequestLog.ts"
import { locate, type Target } from "./RequestTarget.ts"
import * as SentForm from "./SentForm.ts"

/** A request of a known sender, whose fields are not checked yet. */
export interface VerifiedRequest {
  readonly call: Call
  /** The header `Idempotency-Key` as it was sent. */
  readonly key: string | ReadonlyArray<string> | undefined
  /** The problems with the spellings of the fields. */
  readonly problems: ReadonlyArray<FieldProblem>
  readonly normal: NormalFields.NormalFields
}

export const make = Effect.gen(function* () {
  const store = yield* Store
  const directory = yield* Directory
  const authClock = yield* AuthClock
  const settings = yield* Settings
  const perAddress = yield* ProcessLease.sharedLimit(settings.addressRate)
  const perMerchant = yield* ProcessLease.sharedLimit(settings.merchantRate)

  const limited = (limit: RateLimit.RateLimit, key: string, what: string): Effect.Effect<void, RequestRefused> =>
    Effect.suspend(() => {
      const retryAfterMs = limit.take(key, authClock.nowMs())
      return retryAfterMs === undefined ? Effect.void : Effect.fail(tooMany(what, retryAfterMs))
    })

  /** Verifies the sender. `original` is the order whose amount the signature may cover. */
  const authenticate = (
    request: ReceivedRequest,
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
    return OAuthSender.verify(
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

  return Effect.fnUntraced(function* (
    request: ReceivedRequest,
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
    const form = { operation, dialect, most: settings.maxParameters }
    const parameters = yield* Effect.fromResult(SentForm.read(request, target, form))
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
    observed.key = sender.key
    yield* limited(perMerchant, route.merchant.login, "requests of this merchant")

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
    return { call, key, problems, normal } satisfies VerifiedRequest
  })
})
