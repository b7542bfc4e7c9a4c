/** Serves the shop's files, without a cookie, and the page for unknown addresses. */
import { join } from "node:path"
import * as BrowserData from "@pay/flows/BrowserData"
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse, HttpStaticServer } from "effect/http"
import * as Page from "./Page.ts"

/** Script that fills in the browser data of 3-D Secure in the form of the checkout. */
const script = `for (const form of document.forms) if (form.elements.browserTZ) (${BrowserData.fill})(form)`

const headers = { "cache-control": "max-age=300", "x-content-type-options": "nosniff" }

export const layer = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const file = yield* HttpStaticServer.make({ root: join(import.meta.dirname, "files"), index: undefined })
    const answer = Effect.map(file, HttpServerResponse.setHeaders(headers))
    const answerOrMissing = Effect.orElseSucceed(answer, () => Page.problem("missing"))
    yield* router.add("*", "*", answerOrMissing)
    yield* router.add("GET", "/shop.js", HttpServerResponse.text(script, { contentType: "text/javascript", headers }))
  })
)
