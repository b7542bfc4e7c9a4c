/**
 * Wall time, for what the outside world dates: OAuth timestamps, nonces, webhook timestamps. Business time (Effect's
 * `Clock`) can be moved in the sandbox; this cannot.
 */
import { Context, Layer } from "effect"

export class AuthClock extends Context.Service<AuthClock, { readonly nowMs: () => number }>()(
  "@pay/gateway/AuthClock"
) {
  static readonly layer = Layer.succeed(AuthClock, { nowMs: () => Date.now() })
}
