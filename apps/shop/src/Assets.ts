/** Files of the shop that are the same for everybody: kept by browsers and proxies, so no cookie comes with them. */
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { script } from "./Script.ts"
import { style } from "./Style.ts"

const file = (text: string, contentType: string) =>
  HttpServerResponse.text(text, {
    contentType,
    headers: { "cache-control": "max-age=300", "x-content-type-options": "nosniff" }
  })

export const layer = HttpRouter.use((router) =>
  Effect.andThen(
    router.add("GET", "/shop.css", file(style, "text/css; charset=utf-8")),
    router.add("GET", "/shop.js", file(script, "text/javascript; charset=utf-8"))
  )
)
