/**
 * Wall time, for everything that other systems date: OAuth timestamps, nonces, webhook timestamps. The sandbox can move business
 * time (Effect's `Clock`), but not wall time.
 */
import { Context, Effect, Layer } from "effect"

/** The machine's time. In production, without jumps of the machine's clock that nothing confirms. */
export const WallTime = Context.Reference<() => number>("@pay/gateway/WallTime", {
  defaultValue: () => () => Date.now()
})

export class AuthClock extends Context.Service<AuthClock, { readonly nowMs: () => number }>()(
  "@pay/gateway/AuthClock"
) {
  static readonly layer = Layer.effect(
    AuthClock,
    Effect.map(WallTime, (nowMs) => ({ nowMs }))
  )
}
