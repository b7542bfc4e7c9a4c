/** The merchant's side of callbacks in a test: keeps what arrives once it is proved, and answers as the test says. */
import { AuthClock } from "@pay/gateway/AuthClock"
import { CallbackSender } from "@pay/gateway/CallbackSender"
import { Directory } from "@pay/gateway/Directory"
import * as CallbackReceiver from "@pay/transport/CallbackReceiver"
import { Context, Effect, Layer, Option, Result } from "effect"

export interface Arrived {
  /** The address with everything that was told in its query: what a shop's own receiver is given. */
  readonly url: string
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** What it says, after its signatures were checked with the merchant's keys. */
  readonly callback: CallbackReceiver.Proved
}

/** Takes a callback and says the HTTP status; anything but 200 makes the gateway try again later. */
export type Answer = (arrived: Arrived) => Effect.Effect<number>

export class Inbox extends Context.Service<
  Inbox,
  {
    /** Every delivery so far, repeated ones too, in the order of arrival. */
    readonly arrived: Effect.Effect<ReadonlyArray<Arrived>>
    /** From now on callbacks are answered so: by the shop's receiver under test, or with a failure. */
    readonly answerWith: (answer: Answer) => Effect.Effect<void>
  }
>()("@pay/sandbox/Inbox") {}

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
    const arrived: Array<Arrived> = []
    let answer = accept

    const take = (url: string, headers: Readonly<Record<string, string>>) =>
      Effect.suspend(() => {
        const controlKeys = directory.merchants().flatMap((merchant) => merchant.controlKeys)
        const nowSeconds = Math.floor(authClock.nowMs() / 1000)
        const proved = CallbackReceiver.verifyAt({ url, headers }, { controlKeys }, nowSeconds)
        if (Result.isFailure(proved)) return Effect.die(proved.failure)
        const item = { url, headers, callback: proved.success }
        arrived.push(item)
        return Effect.map(answer(item), (status) => ({ status }))
      })

    const inbox = Inbox.of({
      arrived: Effect.sync(() => [...arrived]),
      answerWith: (next) =>
        Effect.sync(() => {
          answer = next
        })
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
