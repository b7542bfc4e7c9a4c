/** `CallbackInbox` as a route of an Effect `HttpRouter`. */
import { ByteSize, Effect, type Layer } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerResponse } from "effect/http"
import { CallbackInbox } from "./CallbackInbox.ts"

const mostBytes = ByteSize.fromInputUnsafe(64_000)

/** Serves the path of `server_callback_url`: `CallbackRoute.layer("/pay/callback")`. */
export const layer = (path: `/${string}`): Layer.Layer<never, never, HttpRouter.HttpRouter | CallbackInbox> =>
  HttpRouter.use((router) =>
    Effect.flatMap(CallbackInbox, (inbox) =>
      router.add("*", path, (request) =>
        request.text.pipe(
          Effect.provideService(HttpIncomingMessage.MaxBodySize, mostBytes),
          Effect.flatMap((body) =>
            inbox.receive({ method: request.method, url: request.url, headers: request.headers, body })
          ),
          Effect.orElseSucceed(() => ({ status: 413, body: "the body is too long" })),
          Effect.map(({ body, status }) => HttpServerResponse.text(body, { status }))
        )
      )
    )
  )
