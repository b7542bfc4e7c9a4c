/**
 * Pages for a person's browser: all paths that are not under `/api/`. A handler answers its own paths and leaves the rest to the
 * next handler. The gateway's own pages come first; a sandbox adds those of its issuer.
 */
import { Context, Effect, Layer } from "effect"

export interface PageRequest {
  readonly method: string
  readonly path: string
  /** The query without its `?`. */
  readonly query: string
  /** Headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  /** The body of a form post, undecoded. */
  readonly body: string
  readonly remoteAddress: string
  /** The address under which the browser reaches the gateway, for links and forms that need an absolute address. */
  readonly publicBaseUrl: string
}

export interface PageAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Answers a request with a page. Never fails: an error is a page too. `undefined`: the path belongs to another handler. */
export type PageHandler = (request: PageRequest) => Effect.Effect<PageAnswer | undefined>

/** Further pages beside the gateway's own. Default: none. */
export const FurtherPages = Context.Reference<ReadonlyArray<PageHandler>>("@pay/gateway/FurtherPages", {
  defaultValue: () => []
})

/** Adds a handler before the {@link FurtherPages} of the context. */
export const layer = <E, R>(make: Effect.Effect<PageHandler, E, R>) =>
  Layer.effect(
    FurtherPages,
    Effect.gen(function* () {
      const others = yield* FurtherPages
      return [yield* make, ...others]
    })
  )
