/** Calls of the Checkout API: one POST with the API key and an `Idempotency-Key`. Nothing of a request or an answer is logged. */
import type { Effect, Redacted } from "effect"
import { Redacted as OwnRedacted } from "effect"
import type { AdyenSettings } from "./AdyenSettings.ts"
import * as Exchange from "./Exchange.ts"

/** The gateway's own modules: effects and secrets of another copy of Effect are not its own. */
export interface OwnEffect {
  readonly Effect: typeof Effect
  readonly Redacted: typeof Redacted
}

export interface Call {
  /** The path below the address of the API, from its slash. */
  readonly path: string
  readonly body: object
  /** At most 64 characters. Adyen answers a repeated request with the same key like the first one. */
  readonly key: string
}

export const make =
  ({ apiKey, url }: AdyenSettings, { Effect }: Pick<OwnEffect, "Effect">) =>
  ({ body, key, path }: Call) =>
    Effect.tryPromise({
      try: (signal) =>
        Exchange.post(
          {
            url: `${url}${path}`,
            headers: {
              "content-type": "application/json",
              "x-api-key": OwnRedacted.value(apiKey),
              "idempotency-key": key
            },
            body: JSON.stringify(body)
          },
          signal
        ),
      catch: Exchange.failureOf
    })

/** An address without TLS is no address of Adyen: production refuses an adapter that declares this. */
export const simulation = ({ url }: AdyenSettings) => (url.startsWith("http:") ? { simulated: true as const } : {})
