/**
 * Pages for a person's browser: whatever is not under `/api/`. A handler answers what it knows and leaves the rest to the
 * next one; the gateway's own pages come first, a sandbox adds its issuer's.
 */
import { Context, type Effect } from "effect"

export interface PageRequest {
  readonly method: string
  readonly path: string
  /** Without its `?`. */
  readonly query: string
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  /** The body of a form post, undecoded. */
  readonly body: string
  readonly remoteAddress: string
  /** Under which the browser reaches the gateway: for links and forms that need an absolute address. */
  readonly publicBaseUrl: string
}

export interface PageAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Never fails: what went wrong is a page too. Undefined: not mine. */
export type PageHandler = (request: PageRequest) => Effect.Effect<PageAnswer | undefined>

/** Further pages beside the gateway's own; none unless provided. */
export const FurtherPages = Context.Reference<ReadonlyArray<PageHandler>>("@pay/gateway/FurtherPages", {
  defaultValue: () => []
})
