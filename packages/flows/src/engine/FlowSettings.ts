/** Settings of flows. A merchant may change them for all flows or for one. */
import { Context, type Duration, Effect } from "effect"

/** The settings of flows. */
export interface Settings {
  /**
   * Longest time that a request whose answer was lost may still be under way. An order counts as never created only after "not
   * found" both before and after this time. It must be longer than the client's deadline. Default 45 seconds.
   */
  readonly quietPeriod: Duration.Input
  /**
   * Whether this engine alone acts on orders: no other program, no engine with another file, and no person at the gateway's own pages.
   * At a gateway without `Idempotency-Key`, a change of an order's amounts is then proof of an action whose answer was lost.
   * Default false: a person is asked.
   */
  readonly actsAlone: boolean
  /**
   * Longest time until an accepted action shows in `status`, if the gateway's profile does not have `follow-ups-in-status`. While
   * the outcome of an action is unknown, no other one is sent about its order for this time. Default 1 day.
   */
  readonly hiddenPeriod: Duration.Input
  /** Number of times that a request without effect is sent, the first one included. Default 3. */
  readonly mostSubmissions: number
  /** Wait before a request that was not sent or not answered is repeated. Default 10 seconds. */
  readonly pause: Duration.Input
  /** Number of attempts of a status request without an answer, and of a request under its `Idempotency-Key`. Default 30. */
  readonly mostRepeats: number
  /**
   * Longest total wait of a request that the gateway refuses with 429 or that exceeds the client's own limit. After a 429 it is
   * sent again after `Retry-After`. If a longer wait is needed, the flow ends as `NotAccepted`, which is then `retryable`. Default 1
   * hour.
   */
  readonly longestThrottle: Duration.Input
  /**
   * Longest time for the issuer's method page (docs/specification.md#limits), or for the form of the browser's data. Default 10
   * seconds.
   */
  readonly methodTimeout: Duration.Input
  /** Longest time for the customer at the issuer's page. Default 10 minutes. */
  readonly challengeTimeout: Duration.Input
}

/** The default settings. */
export const defaults: Settings = {
  quietPeriod: "45 seconds",
  actsAlone: false,
  hiddenPeriod: "1 day",
  mostSubmissions: 3,
  pause: "10 seconds",
  mostRepeats: 30,
  longestThrottle: "1 hour",
  methodTimeout: "10 seconds",
  challengeTimeout: "10 minutes"
}

/** The settings of the running flow. Default: {@link defaults}. */
export const FlowSettings = Context.Reference<Settings>("@pay/flows/FlowSettings", { defaultValue: () => defaults })

/** Runs an effect with some settings changed. */
export const changed =
  (changes: Partial<Settings>) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(FlowSettings, (settings) => Effect.provideService(self, FlowSettings, { ...settings, ...changes }))
