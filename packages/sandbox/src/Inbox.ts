/** The merchant's side of callbacks in a test: keeps what arrives once it is proved, and answers as the test says. */
import { AuthClock } from "@pay/gateway/AuthClock"
import { CallbackSender } from "@pay/gateway/CallbackSender"
import { Directory, type Merchant } from "@pay/gateway/Directory"
import * as StandardWebhooks from "@pay/signing/StandardWebhooks"
import * as CallbackReceiver from "@pay/transport/CallbackReceiver"
import { Clock, Context, Effect, Fiber, Layer, Option, Redacted, Result } from "effect"

export interface Arrived {
  /** The address with everything that was told in its query: what a shop's own receiver is given. */
  readonly url: string
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** What it says, after its signatures were checked with the merchant's keys. */
  readonly callback: CallbackReceiver.Proved
}

/** A shop's own receiver of callbacks, and what of its reply counts. */
export type Receive = (request: {
  readonly method: "GET"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}) => Effect.Effect<{ readonly status: number }>

/** Takes a callback and says the HTTP status; anything but 200 makes the gateway try again later. */
export type Answer = (arrived: Arrived) => Effect.Effect<number>

export class Inbox extends Context.Service<
  Inbox,
  {
    /** Every delivery so far, repeated ones too, in the order of arrival. */
    readonly arrived: Effect.Effect<ReadonlyArray<Arrived>>
    /** From now on callbacks are answered so: by the shop's receiver under test, or with a failure. */
    readonly answerWith: (answer: Answer) => Effect.Effect<void>
    /** From now on the shop's own receiver gets them, on business time: it runs on that clock, and they are dated by it. */
    readonly deliverTo: (receive: Receive) => Effect.Effect<void>
  }
>()("@pay/sandbox/Inbox") {}

/** Whether this runs because of a callback: the gateway comes to no rest before it is answered. */
export const Delivering = Context.Reference("@pay/sandbox/Delivering", { defaultValue: () => false })

const accept: Answer = () => Effect.succeed(200)

/**
 * Stands between the gateway and the addresses that merchants name. Where the context has a `CallbackSender`, callbacks
 * then really go out and its answer counts; without one nothing leaves the process. A callback that its merchant could not
 * prove is a defect of the gateway.
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

    /** Dated and signed anew, as by a gateway that lives at that time. */
    const redated = ({ callback, headers, url }: Arrived, nowSeconds: number): Arrived["headers"] => {
      const { webhookId: id } = callback
      const merchant = directory.merchants().find(isOf({ url, headers }, Math.floor(authClock.nowMs() / 1000)))
      if (id === undefined || merchant === undefined) return headers
      const secrets = merchant.controlKeys.map((key) => StandardWebhooks.secret(Redacted.value(key)))
      const message = { id, timestampSeconds: nowSeconds, content: url.slice(url.indexOf("?") + 1) }
      return { ...headers, ...StandardWebhooks.sign(message, secrets) }
    }

    const take = (url: string, headers: Readonly<Record<string, string>>) =>
      Effect.suspend(() => {
        const controlKeys = directory.merchants().flatMap((merchant) => merchant.controlKeys)
        const nowSeconds = Math.floor(authClock.nowMs() / 1000)
        const proved = CallbackReceiver.verifyAt({ url, headers }, { controlKeys }, nowSeconds)
        if (Result.isFailure(proved)) return Effect.die(proved.failure)
        const item = { url, headers, callback: proved.success }
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
            const { status } = yield* receive({ method: "GET", url: item.url, headers: redated(item, nowSeconds) })
            return status
          })
        )
    })
    return Context.make(Inbox, inbox).pipe(
      Context.add(
        CallbackSender,
        CallbackSender.of({
          send: (callback) => {
            const taken = take(callback.url, callback.headers)
            return Option.isSome(outside) ? Effect.andThen(taken, outside.value.send(callback)) : taken
          }
        })
      )
    )
  })
)
