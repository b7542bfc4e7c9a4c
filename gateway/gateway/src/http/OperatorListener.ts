/**
 * The operators' own address: their interface, their console, and the metrics. Merchants and customers are served on another, so a proxy in front
 * of that one shows nothing of this.
 */
import { Effect } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { Settings } from "../kernel/Settings.ts"
import * as Console from "./console/Console.ts"
import * as OperatorHandler from "./operator/OperatorHandler.ts"
import * as SignIn from "./operator/SignIn.ts"
import * as PageListener from "./PageListener.ts"
import * as Pages from "./Pages.ts"

export interface Options {
  /** Default: 127.0.0.1. */
  readonly host?: string | undefined
  /** Default: a free port. */
  readonly port?: number | undefined
}

const nothing = OperatorHandler.json(404, { error: "there is nothing here" })

const refusal = (refused: Exclude<SignIn.SignIn, { readonly _tag: "Admitted" }>): Pages.PageAnswer => {
  if (refused._tag === "Refused") return OperatorHandler.json(refused.status, { error: refused.message })
  const seconds = Math.ceil(refused.retryAfterMs / 1000)
  const { body, headers } = OperatorHandler.json(429, { error: `too many wrong tokens: ask again in ${seconds} s` })
  return { status: 429, headers: { ...headers, "retry-after": String(seconds) }, body }
}

/** Makes what answers operators. `measure` brings the metrics up to date; programs on this machine may read them without a token. */
export const answers = Effect.fnUntraced(function* (measure: Effect.Effect<void> = Effect.void) {
  const pages = yield* Pages.OperatorPages
  const signIns = yield* SignIn.make
  const console = (yield* Console.OperatorConsole)(signIns, (request) => Pages.first(pages, request))
  const metrics = measure.pipe(
    Effect.andThen(PrometheusMetrics.format()),
    Effect.map(
      (body): Pages.PageAnswer => ({
        status: 200,
        headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
        body
      })
    )
  )
  return Effect.fnUntraced(function* (request: Pages.PageRequest) {
    const isMetrics = request.path === "/metrics" && Pages.isRead(request)
    if (isMetrics && SignIn.isOnMachine(request)) return yield* metrics
    const page = yield* console(request)
    if (page !== undefined) return page
    const signedIn = yield* signIns.ofRequest(request)
    if (signedIn._tag !== "Admitted") return refusal(signedIn)
    if (isMetrics) return yield* metrics
    return (yield* Pages.first(pages, { ...request, operator: signedIn.operator })) ?? nothing
  })
})

/** Listens until the scope closes, and returns the address. */
export const listen = Effect.fnUntraced(function* (
  { host = "127.0.0.1", port = 0 }: Options,
  measure: Effect.Effect<void>
) {
  const { maxBodyBytes } = yield* Settings
  return yield* PageListener.listen({ host, port, setting: "PAY_OPERATOR_PORT", maxBodyBytes }, (publicBaseUrl) =>
    Effect.map(answers(measure), (answer) => (request) => answer({ ...request, publicBaseUrl }))
  )
})
