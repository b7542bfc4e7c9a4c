/**
 * Wall time, for everything that other systems date: OAuth timestamps, nonces, webhook timestamps. The sandbox can move business
 * time (Effect's `Clock`), but not wall time.
 */
import { Context, Layer } from "effect"

export class AuthClock extends Context.Service<AuthClock, { readonly nowMs: () => number }>()(
  "@pay/gateway/AuthClock"
) {
  static readonly layer = Layer.succeed(AuthClock, { nowMs: () => Date.now() })
}
