/** What a merchant may want different, for all flows or for one. */
import { Context, type Duration, Effect } from "effect"

export interface Settings {
  /**
   * How long a request whose answer was lost may still be under way. Only after "not found" before and after this pause an
   * order is taken for never made. Longer than the client's deadline. Default 45 seconds.
   */
  readonly quietPeriod: Duration.Input
  /** How often an order is asked for that was never made. Default 3. */
  readonly mostSubmissions: number
  /** Between questions that could not be asked or answered. Default 10 seconds. */
  readonly pause: Duration.Input
  /** How often a question is asked again that could not be answered, and a request under its key. Default 30. */
  readonly mostRepeats: number
  /**
   * How long a request is held back in all that the gateway refuses as one too many (429), or the client's own limit: it is
   * sent again after `Retry-After`. Where the gateway asks for more, the flow ends as `Refused`, which is `retryable`.
   * Default 1 hour.
   */
  readonly longestThrottle: Duration.Input
  /** How long the issuer's method page may take (specification, Limits), or a form for the browser's data. Default 10 seconds. */
  readonly methodTimeout: Duration.Input
  /** How long the customer may take at the issuer's page. Default 10 minutes. */
  readonly challengeTimeout: Duration.Input
}

export const defaults: Settings = {
  quietPeriod: "45 seconds",
  mostSubmissions: 3,
  pause: "10 seconds",
  mostRepeats: 30,
  longestThrottle: "1 hour",
  methodTimeout: "10 seconds",
  challengeTimeout: "10 minutes"
}

export const FlowSettings = Context.Reference<Settings>("@pay/flows/FlowSettings", { defaultValue: () => defaults })

/** Runs an effect with some settings changed. */
export const changed =
  (changes: Partial<Settings>) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(FlowSettings, (settings) => Effect.provideService(self, FlowSettings, { ...settings, ...changes }))
