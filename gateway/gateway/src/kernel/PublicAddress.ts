/**
 * The address under which browsers and issuers reach this gateway: the configured address, or else the address on which the
 * server listens.
 */
import { Context, Effect, Layer } from "effect"
import { Settings } from "./Settings.ts"

export class PublicAddress extends Context.Service<
  PublicAddress,
  {
    /** Scheme, host and path prefix, without a slash at the end. */
    readonly baseUrl: () => string
    /** Called by the server with the address on which it listens. A configured address takes precedence. */
    readonly listensAt: (baseUrl: string) => void
  }
>()("@pay/gateway/PublicAddress") {
  static readonly layer = Layer.effect(
    PublicAddress,
    Effect.map(Settings, ({ publicBaseUrl }) => {
      let current = publicBaseUrl ?? ""
      return {
        baseUrl: () => current,
        listensAt: (baseUrl) => {
          current = publicBaseUrl ?? baseUrl
        }
      }
    })
  )
}
