/** Tokens that cannot be guessed, for addresses that are their own permission: pages of 3-D Secure, hosted sessions. */
import { randomBytes } from "node:crypto"
import { Context, Layer } from "effect"

const tokenBytes = 24

export class SecureRandom extends Context.Service<
  SecureRandom,
  {
    /** Returns 192 random bits as base64url: 32 characters that may be part of a path. */
    readonly token: () => string
  }
>()("@pay/gateway/SecureRandom") {
  static readonly layer = Layer.succeed(SecureRandom, { token: () => randomBytes(tokenBytes).toString("base64url") })
}
