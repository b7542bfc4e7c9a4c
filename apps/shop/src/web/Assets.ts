/** What is the same for everybody, so that no cookie comes with it: files, which browsers and proxies keep, and nothing. */
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import * as ShopPages from "../catalogue/ShopPages.ts"
import * as Layout from "./Layout.ts"
import { script } from "./Script.ts"
import { style } from "./Style.ts"
import { missing } from "./Visitor.ts"

const file = (text: string, contentType: string) =>
  HttpServerResponse.text(text, {
    contentType,
    headers: { "cache-control": "max-age=300", "x-content-type-options": "nosniff" }
  })

export const layer = HttpRouter.use((router) =>
  Effect.all([
    router.add("GET", "/shop.css", file(style, "text/css; charset=utf-8")),
    router.add("GET", "/shop.js", file(script, "text/javascript; charset=utf-8")),
    router.add("*", "*", Layout.render(ShopPages.problem(missing)))
  ])
)
