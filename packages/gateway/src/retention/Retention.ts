/** Erases card data and recipients of orders that ended longer ago than it may be kept, a batch at a time, once an hour. */
import { Cause, Effect, Layer } from "effect"
import * as EraseCards from "./EraseCards.ts"

const every = "1 hour"

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { expired } = yield* EraseCards.make
    yield* expired.pipe(
      Effect.tap(() => Effect.yieldNow),
      Effect.repeat({ while: (more) => more }),
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.failCause(cause)
          : Effect.as(Effect.logWarning("Card data has to wait for its erasure", cause), 0)
      ),
      Effect.delay(every),
      Effect.forever,
      Effect.forkScoped
    )
  })
)
