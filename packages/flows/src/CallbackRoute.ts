/** `CallbackInbox` as a route of an Effect `HttpRouter`. */
import { Effect, type Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { CallbackInbox } from "./CallbackInbox.ts"

/** Serves the path of `server_callback_url`: `CallbackRoute.layer("/pay/callback")`. */
export const layer = (path: `/${string}`): Layer.Layer<never, never, HttpRouter.HttpRouter | CallbackInbox> =>
  HttpRouter.use((router) =>
    Effect.flatMap(CallbackInbox, (inbox) =>
      router.add("*", path, ({ headers, method, url }) =>
        Effect.map(inbox.receive({ method, url, headers }), ({ body, status }) =>
          HttpServerResponse.text(body, { status })
        )
      )
    )
  )
