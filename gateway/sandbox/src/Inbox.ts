/**
 * Receives callbacks for the merchants of a test. It stores every callback with right signatures, and answers as the test has
 * decided.
 */

import { CallbackSender } from "@pay/gateway/CallbackSender"
import { Directory, type Merchant } from "@pay/gateway/Directory"
import { AuthClock } from "@pay/gateway/Store"
import * as Callback from "@pay/signing/Callback"
import * as StandardWebhooks from "@pay/signing/StandardWebhooks"
import * as CallbackReceiver from "@pay/transport/CallbackReceiver"
import { Clock, Context, Effect, Fiber, Layer, Option, Redacted, Result } from "effect"

/** A callback that arrived and was verified. */
export interface Arrived {
  /** The address with its whole query, which a shop's own receiver gets. */
  readonly url: string
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** The JSON of a callback that was posted. */
  readonly body: string | undefined
  /** The content of the callback, whose signatures were verified with the merchant's keys. */
  readonly callback: CallbackReceiver.VerifiedCallback
}

/** A shop's own receiver of callbacks. Only the status of its reply counts. */
export type Receive = (request: {
  readonly method: "GET" | "POST"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}) => Effect.Effect<{ readonly status: number }>

/**
 * Receives a callback and returns the HTTP status of the answer. The gateway repeats the callback later unless the status is 200.
 */
export type Answer = (arrived: Arrived) => Effect.Effect<number>

/** The callbacks of all merchants of a test. */
export class Inbox extends Context.Service<
  Inbox,
  {
    /** All deliveries so far, repeated ones too, in the order of arrival. */
    readonly arrived: Effect.Effect<ReadonlyArray<Arrived>>
    /** Sets the answer to all later callbacks, such as that of the shop's receiver under test, or a failure. */
    readonly answerWith: (answer: Answer) => Effect.Effect<void>
    /**
     * Passes all later callbacks to the shop's own receiver. The receiver runs on business time, and callbacks are dated by it.
     */
    readonly deliverTo: (receive: Receive) => Effect.Effect<void>
  }
>()("@pay/sandbox/Inbox") {}

/** Whether the current effect answers a callback. The gateway cannot settle before the callback is answered. */
export const Delivering = Context.Reference("@pay/sandbox/Delivering", { defaultValue: () => false })

const accept: Answer = () => Effect.succeed(200)

/**
 * The layer between the gateway and the addresses of merchants. If the context has a `CallbackSender`, callbacks are really sent,
 * and its answer counts. Otherwise no callback leaves the process. A callback that the keys of no merchant verify is a defect of
 * the gateway.
 */
export const layer = Layer.effectContext(
  Effect.gen(function* () {
    const directory = yield* Directory
    const outside = yield* Effect.serviceOption(CallbackSender)
    const authClock = yield* AuthClock
    const scope = yield* Effect.scope
    const arrived: Array<Arrived> = []
    let answer = accept

    const isOf = (received: CallbackReceiver.Received, nowSeconds: number) => (merchant: Merchant) =>
      Result.isSuccess(CallbackReceiver.verifyAt(received, merchant, nowSeconds))

    /** Returns the headers of a callback, dated and signed for another time. */
    const redated = ({ body, callback, headers, url }: Arrived, nowSeconds: number): Arrived["headers"] => {
      const { webhookId: id } = callback
      const merchant = directory.merchants().find(isOf({ url, headers, body }, Math.floor(authClock.nowMs() / 1000)))
      if (id === undefined || merchant === undefined) return headers
      const secrets = merchant.controlKeys.map((key) => StandardWebhooks.secret(Redacted.value(key)))
      const message = {
        id,
        timestampSeconds: nowSeconds,
        content: body ?? Callback.signedForms(url.slice(url.indexOf("?") + 1))
      }
      return { ...headers, ...StandardWebhooks.sign(message, secrets) }
    }

    const take = ({ body, headers, url }: Pick<Arrived, "url" | "headers" | "body">) =>
      Effect.suspend(() => {
        const controlKeys = directory.merchants().flatMap((merchant) => merchant.controlKeys)
        const nowSeconds = Math.floor(authClock.nowMs() / 1000)
        const proved = CallbackReceiver.verifyAt({ url, headers, body }, { controlKeys }, nowSeconds)
        if (Result.isFailure(proved)) return Effect.die(proved.failure)
        const item = { url, headers, body, callback: proved.success }
        arrived.push(item)
        // The merchant that answers is not part of the gateway. It continues when the gateway is killed.
        const answering = answer(item).pipe(
          Effect.provideService(Delivering, true),
          Effect.forkIn(scope, { startImmediately: true })
        )
        return Effect.map(Effect.flatMap(answering, Fiber.join), (status) => ({ status }))
      })

    const answerWith = (next: Answer) =>
      Effect.sync(() => {
        answer = next
      })

    const inbox = Inbox.of({
      arrived: Effect.sync(() => [...arrived]),
      answerWith,
      deliverTo: (receive) =>
        answerWith((item) =>
          Effect.gen(function* () {
            const nowSeconds = Math.floor((yield* Clock.currentTimeMillis) / 1000)
            const { body, url } = item
            const method = body === undefined ? "GET" : "POST"
            const { status } = yield* receive({ method, url, headers: redated(item, nowSeconds), body })
            return status
          })
        )
    })
    return Context.make(Inbox, inbox).pipe(
      Context.add(
        CallbackSender,
        CallbackSender.of({
          send: (callback) => {
            const delivery = take({ ...callback, body: callback.body })
            return Option.isSome(outside) ? Effect.andThen(delivery, outside.value.send(callback)) : delivery
          }
        })
      )
    )
  })
)
