/** The files of the shop, for everybody and without a cookie, and the page for every other address. */
import * as BrowserData from "@pay/flows/BrowserData"
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import * as Page from "./Page.ts"
import { missing } from "./Visitor.ts"

/** Fills in what 3-D Secure asks about the browser, in the form of the checkout. */
const script = `for (const form of document.forms) if (form.elements.browserTZ) (${BrowserData.fill})(form)`

const style = `
:root { color-scheme: light dark; background: Canvas; color: CanvasText; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 44rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere }
a { color: inherit }
li { border-top: 1px solid; padding: .75rem 0; list-style: none }
ul { padding: 0 }
.sign { font-weight: bold }
.error { color: light-dark(#a32a1f, #ff9d92) }
input, select, button { font: inherit; max-width: 100% }
`

const file = (text: string, contentType: string) =>
  HttpServerResponse.text(text, {
    contentType,
    headers: { "cache-control": "max-age=300", "x-content-type-options": "nosniff" }
  })

export const layer = HttpRouter.use((router) =>
  Effect.all([
    router.add("GET", "/shop.css", file(style, "text/css; charset=utf-8")),
    router.add("GET", "/shop.js", file(script, "text/javascript; charset=utf-8")),
    router.add("*", "*", Page.problem(missing))
  ])
)
