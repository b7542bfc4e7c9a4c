/** Under which address browsers and issuers reach this gateway: configured, or where it listens once it does. */
import { Context, Effect, Layer } from "effect"
import { Settings } from "./Settings.ts"

export class PublicAddress extends Context.Service<
  PublicAddress,
  {
    /** Scheme, host and path prefix, without a slash at the end. */
    readonly baseUrl: () => string
    /** Told by the server that listens; a configured address stays. */
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
