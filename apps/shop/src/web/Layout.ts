/**
 * One page and the headers that say what it may do: style and scripts are files of the shop, forms go to the shop, nobody
 * frames it, nobody keeps it. A page that sends a browser to an issuer names that address.
 */
import { HttpServerResponse } from "effect/http"
import { type Html, html } from "./Html.ts"

export interface Page {
  readonly title: string
  readonly main: Html
  readonly status?: number
  /** The browser goes on by itself. */
  readonly next?: string | undefined
  /** Looked at again after so many seconds where there is no JavaScript. */
  readonly refreshSeconds?: number | undefined
  /** Besides the shop, where its forms may go. */
  readonly formAction?: ReadonlyArray<string>
  /** Besides the shop, what it may frame. */
  readonly frame?: ReadonlyArray<string>
}

const headers = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "permissions-policy": "camera=(), microphone=(), geolocation=()"
}

const policy = ({ formAction = [], frame = [] }: Page): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    "img-src data:",
    `form-action ${["'self'", ...formAction].join(" ")}`,
    `frame-src ${frame.length === 0 ? "'none'" : ["'self'", ...frame].join(" ")}`,
    "base-uri 'none'",
    "frame-ancestors 'none'"
  ].join("; ")

export const render = (page: Page): HttpServerResponse.HttpServerResponse => {
  const { main, next, refreshSeconds, status = 200, title } = page
  const document = html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width,initial-scale=1">
  <title>${title} · Foxglove</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="/shop.css">
  ${refreshSeconds !== undefined && html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>`}
  <script src="/shop.js" defer></script>
</head>
<body>
  <header>
    <a class="name" href="/">Foxglove</a>
    <nav aria-label="Shop"><a href="/orders">Your orders</a></nav>
  </header>
  <main>${main}</main>
  <footer><p>Foxglove, garden things made to last. A sample shop: nothing is shipped, no real card is charged.</p></footer>
</body>
</html>`
  return HttpServerResponse.text(document.text, {
    status,
    contentType: "text/html; charset=utf-8",
    headers: {
      ...headers,
      "content-security-policy": policy(page),
      ...(next === undefined ? {} : { refresh: `0; url=${next}` })
    }
  })
}

/** What an issuer gets to show in the hidden frame once it is done: nothing. */
export const blank = HttpServerResponse.text("<!doctype html><title>Done</title>", {
  contentType: "text/html; charset=utf-8",
  headers: { ...headers, "content-security-policy": "default-src 'none'; frame-ancestors 'self'" }
})
