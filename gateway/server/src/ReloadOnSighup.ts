/**
 * Reads the merchants of the configuration file again on SIGHUP. If they are not valid, nothing changes and the reason is logged.
 */
import { ReloadMerchants } from "@pay/gateway/Gateway"
import { Effect, Layer } from "effect"

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const reload = yield* ReloadMerchants.make
    const run = Effect.runForkWith(yield* Effect.context<never>())
    const reloading = reload("gateway").pipe(
      Effect.matchCauseEffect({
        onFailure: (cause) => Effect.logError("The merchants stay as they were", cause),
        onSuccess: (replaced) => Effect.log("The merchants were read again").pipe(Effect.annotateLogs({ ...replaced }))
      })
    )
    const onSignal = () => void run(reloading)
    yield* Effect.acquireRelease(
      Effect.sync(() => process.on("SIGHUP", onSignal)),
      () => Effect.sync(() => process.removeListener("SIGHUP", onSignal))
    )
  })
)
