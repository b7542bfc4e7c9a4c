/** Signs a callback and sends it to the merchant once. */

import * as CallbackContent from "@pay/schema/Callback"
import * as CallbackAddress from "@pay/schema/CallbackAddress"
import * as Callback from "@pay/signing/Callback"
import * as Form from "@pay/signing/Form"
import * as StandardWebhooks from "@pay/signing/StandardWebhooks"
import { Effect, Exit, Metric, Option, Redacted } from "effect"
import { AuthClock } from "../kernel/AuthClock.ts"
import * as CallMetrics from "../kernel/CallMetrics.ts"
import * as ForeignText from "../kernel/ForeignText.ts"
import { Settings } from "../kernel/Settings.ts"
import * as Spans from "../kernel/Spans.ts"
import * as TraceContext from "../kernel/TraceContext.ts"
import type { Merchant } from "../merchants/Directory.ts"
import { type CallbackFailure, CallbackSender } from "./CallbackSender.ts"
import { type CallbackEvent, serverOf } from "./decide/CallbackEvent.ts"

const attempts = Metric.counter("pay_callback_tries_total", {
  description: "Tries to deliver a callback",
  incremental: true
})

const notSent: ReadonlySet<string> = new Set(["Refused", "Unresolved", "Unreachable", "Untrusted"])

/** Returns how an attempt ended, for metrics: `delivered`, `refused` by the merchant's server, `not-sent` or `lost`. */
const outcomeOf = (exit: Exit.Exit<{ readonly status: number }, CallbackFailure>): string => {
  if (Exit.isSuccess(exit)) return exit.value.status === 200 ? "delivered" : "refused"
  const failure = Option.getOrUndefined(Exit.findErrorOption(exit))
  return failure !== undefined && notSent.has(failure.reason._tag) ? "not-sent" : "lost"
}

/** What is sent, and the texts that `webhook-signature` covers. */
interface Outgoing {
  readonly url: string
  readonly body?: string
  readonly signed: ReadonlyArray<string>
}

/** Returns the content with `control`: in the query of the merchant's address, after its own one, or as JSON. */
const complete = (event: CallbackEvent, newest: Redacted.Redacted<string>): Outgoing | undefined => {
  const parsed = Form.parse(event.query)
  const parameters = parsed.ok ? parsed.parameters : []
  const value = (parameter: string) => parameters.find(([name]) => name === parameter)?.[1] ?? ""
  const signed = { status: value("status"), orderid: value("orderid"), client_orderid: value("client_orderid") }
  const whole = [...parameters, ["control", Callback.sign(signed, Redacted.value(newest))] as const]
  const called = CallbackAddress.complete(event.url, event.format === "json" ? [] : whole)
  if (called === undefined) return undefined
  if (event.format === "query") return { url: called.url, signed: Callback.signedForms(called.query) }
  const body = CallbackContent.json(whole)
  return { url: called.url, body, signed: [body] }
}

export const make = Effect.gen(function* () {
  const sender = yield* CallbackSender
  const authClock = yield* AuthClock
  const withSpan = yield* Spans.make
  const { traceToMerchants } = yield* Settings
  const secrets = new WeakMap<Merchant, ReadonlyArray<Uint8Array>>()

  const secretsOf = (merchant: Merchant): ReadonlyArray<Uint8Array> => {
    const existing =
      secrets.get(merchant) ?? merchant.controlKeys.map((key) => StandardWebhooks.secret(Redacted.value(key)))
    secrets.set(merchant, existing)
    return existing
  }

  return Effect.fnUntraced(function* (event: CallbackEvent, merchant: Merchant) {
    const [newest] = merchant.controlKeys
    if (newest === undefined) return { delivered: false, result: "the merchant has no control key" }
    const target = complete(event, newest)
    if (target === undefined) return { delivered: false, result: "not an address" }
    const headers = StandardWebhooks.sign(
      {
        id: event.eventId,
        timestampSeconds: Math.floor(authClock.nowMs() / 1000),
        content: target.signed
      },
      secretsOf(merchant)
    )
    yield* Metric.update(attempts, 1)
    const { body, url } = target
    const type = body === undefined ? {} : { "content-type": "application/json" }
    const sent = Effect.flatMap(traceToMerchants ? TraceContext.headers : Effect.succeed({}), (trace) =>
      sender.send({ url, headers: { ...type, ...headers, ...trace }, body })
    )
    const server = { name: "callbacks", host: serverOf(event) }
    const attempt = CallMetrics.measured(server, body === undefined ? "GET" : "POST", sent, outcomeOf).pipe(
      Effect.tap(({ status }) => Spans.annotate(() => ({ "http.response.status_code": status }))),
      Effect.map(({ status }) => ({ delivered: status === 200, result: String(status) })),
      Effect.catch((failure) => Effect.succeed({ delivered: false, result: ForeignText.line(failure.message) }))
    )
    return yield* withSpan(
      attempt,
      "callback.deliver",
      () => ({
        "pay.order_id": event.orderId,
        "http.request.method": body === undefined ? "GET" : "POST",
        "server.address": serverOf(event)
      }),
      "client"
    )
  })
})
