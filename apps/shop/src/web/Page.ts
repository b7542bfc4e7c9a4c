/**
 * One layout for all pages, and the headers that restrict them: style and script are files of the shop, forms post to the shop,
 * no other site frames a page, and no cache stores it. The toolkit's own pages send the browser to gateway and issuer.
 */
import { HttpServerResponse } from "effect/http"
import { type Html, html } from "./Html.ts"
import type { Problem } from "./Visitor.ts"

export interface Page {
  readonly title: string
  /** The default is the title. */
  readonly heading?: string
  readonly main: Html
  readonly status?: number
  /** A `Refresh` header: seconds, and the address if it is another one. */
  readonly refresh?: string | undefined
}

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'"
].join("; ")

export const render = ({ main, refresh, status = 200, title, heading = title }: Page) => {
  const document = html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width,initial-scale=1">
  <title>${title} · Foxglove</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="/shop.css">
  <script src="/shop.js" defer></script>
</head>
<body>
  <header class="row"><a href="/">Foxglove</a> <a href="/orders">Your orders</a></header>
  <main><h1>${heading}</h1>${main}</main>
</body>
</html>`
  return HttpServerResponse.text(document.text, {
    status,
    contentType: "text/html; charset=utf-8",
    headers: {
      "cache-control": "no-store",
      "content-security-policy": policy,
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      ...(refresh === undefined ? {} : { refresh })
    }
  })
}

/** What the browser shows where a request cannot be answered. */
export const problem = ({ says, status }: Pick<Problem, "says"> & { readonly status: number }) =>
  render({ title: says, status, main: html`<a href="/">To the shop</a>` })
