/** `WebShopper` as a route of an Effect `HttpRouter`. */
import { Effect, type Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { WebShopper } from "./WebShopper.ts"

/** Serves what is below the path of its `url`: `WebShopperRoute.layer("/pay")`. */
export const layer = (path: `/${string}`): Layer.Layer<never, never, HttpRouter.HttpRouter | WebShopper> =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const { receive } = yield* WebShopper
      // With the Steps of the flows that are sent on.
      const context = yield* Effect.context<never>()
      yield* router.add("*", `${path}/*`, (request) =>
        request.text.pipe(
          Effect.orElseSucceed(() => ""),
          Effect.flatMap((body) => receive({ method: request.method, url: request.url, body })),
          Effect.map(({ body, headers, status }) => HttpServerResponse.text(body, { status, headers })),
          Effect.provideContext(context)
        )
      )
    })
  )
