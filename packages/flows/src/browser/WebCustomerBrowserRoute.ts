/** `WebCustomerBrowser` as a route of an Effect `HttpRouter`. */
import { ByteSize, Effect, type Layer } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerResponse } from "effect/http"
import * as NextActionPage from "./NextActionPage.ts"
import { mostCharacters, WebCustomerBrowser } from "./WebCustomerBrowser.ts"

const mostBytes = ByteSize.fromInputUnsafe(mostCharacters)

/** Serves all pages below the path of `url`: `WebCustomerBrowserRoute.layer("/pay")`. */
export const layer = (path: `/${string}`): Layer.Layer<never, never, HttpRouter.HttpRouter | WebCustomerBrowser> =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const { receive } = yield* WebCustomerBrowser
      yield* router.add("*", `${path}/*`, (request) =>
        request.text.pipe(
          Effect.provideService(HttpIncomingMessage.MaxBodySize, mostBytes),
          Effect.flatMap((body) =>
            receive({ method: request.method, url: request.url, headers: request.headers, body })
          ),
          Effect.orElseSucceed(() => NextActionPage.refused(413, "GET, HEAD, POST")),
          Effect.map(({ body, headers, status }) => HttpServerResponse.text(body, { status, headers }))
        )
      )
    })
  )
