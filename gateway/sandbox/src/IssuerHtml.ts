/** Pages of the simulated issuer: they look like a bank's, load nothing from elsewhere, and work with and without scripts. */
import "./OldNode.ts"
import * as crypto from "node:crypto"
import type { PageAnswer } from "@pay/gateway/Gateway"
import { escaped, hidden } from "@pay/schema/Markup"

const style = [
  ":root{color-scheme:light dark;--page:#eef1f5;--paper:#fff;--ink:#1a2230;--soft:#4f5b6b;--line:#7d8896;--rule:#dde2e9;--bank:#123a63;--action:#1a5f4a;--bad:#b3261e;--note:#7a5200;--note-paper:#fdf5e4;font:1rem/1.5 system-ui,sans-serif}",
  "@media(prefers-color-scheme:dark){:root{--page:#0e141b;--paper:#18212b;--ink:#edf1f5;--soft:#aab6c3;--line:#7d8a98;--rule:#2b3743;--bank:#0b2642;--action:#1f7359;--bad:#ffb4ab;--note:#f3cd82;--note-paper:#33290f}}",
  "*{box-sizing:border-box}",
  "body{margin:0;background:var(--page);color:var(--ink);overflow-wrap:anywhere}",
  ".bank{background:var(--bank);color:#fff}",
  ".bank p{max-width:30rem;margin:0 auto;padding:.875rem 1.25rem;display:flex;align-items:center;gap:.75rem;font-weight:650;font-size:1.0625rem}",
  ".bank svg{width:1.75rem;height:1.75rem;flex:none}",
  ".bank span{margin-inline-start:auto;font-weight:400;font-size:.8125rem}",
  "main{max-width:30rem;margin:0 auto;padding:1.5rem 1.25rem 2rem;background:var(--paper);border:1px solid var(--rule);border-block-start:0}",
  "h1{font-size:1.375rem;line-height:1.25;margin:0 0 .25rem}",
  ".lead{margin:0;color:var(--soft)}",
  ".note{border-radius:.5rem;margin:0;padding:.625rem .875rem;background:var(--note-paper);color:var(--note);font-size:.875rem}",
  ".note strong{user-select:all;-webkit-user-select:all}",
  "[role=alert]{font-weight:650;color:var(--bad)}",
  "label{display:block;font-weight:650}",
  "input,button{font:inherit;min-height:3rem;padding:.625rem .875rem;border-radius:.5rem}",
  "input{width:100%;margin-block:.375rem .75rem;color:inherit;background:var(--paper);border:1px solid var(--line);letter-spacing:.1em}",
  "dl{display:grid;grid-template-columns:auto 1fr;gap:.5rem 1.5rem;margin:1.25rem 0;padding:1rem 0;border-block:1px solid var(--rule)}",
  "dt{color:var(--soft)}",
  "dd{margin:0;text-align:end;font-weight:650}",
  "form{margin-block-start:1.25rem}",
  "button{width:100%;font-weight:650;border:1px solid transparent;background:var(--action);color:#fff;margin-block-start:1rem;cursor:pointer}",
  "button:hover{filter:brightness(.9)}",
  "button.quiet{background:none;color:inherit;border-color:var(--line);margin-block-start:.625rem}",
  ":focus-visible{outline:.1875rem solid #2f80c3;outline-offset:.125rem}",
  "footer{max-width:30rem;margin:0 auto;padding:1rem 1.25rem;color:var(--soft);font-size:.8125rem}"
].join("")

/** The bank's logo: a house with columns. */
const logo =
  '<svg viewBox="0 0 24 24" aria-hidden="true" fill="currentColor"><path d="M12 2 2 7.500V9h20V7.500ZM4 10.500h2.500V18H4Zm4.500 0H11V18H8.500Zm4.500 0h2.500V18H13Zm4.500 0H20V18h-2.500ZM2 19.500h20V22H2Z"/></svg>'

const script = "document.forms[0].submit()"

const source = (text: string): string => `'sha256-${crypto.hash("sha256", text, "base64")}'`

/**
 * The content security policy. A form may be sent to any http(s) address: that of the merchant or the gateway, and those to which
 * they redirect it.
 */
const policy = [
  "default-src 'none'",
  `style-src ${source(style)}`,
  `script-src ${source(script)}`,
  "form-action 'self' http: https:",
  "base-uri 'none'"
].join("; ")

const headers: PageAnswer["headers"] = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": policy,
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
}

export type Fields = Readonly<Record<string, string>>

const page = (status: number, title: string, content: string): PageAnswer => ({
  status,
  headers,
  body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} – Sandbox Bank</title>
<style>${style}</style>
</head>
<body>
<header class="bank"><p>${logo}Sandbox Bank<span>Secure payment</span></p></header>
<main>
<h1>${escaped(title)}</h1>
${content}
</main>
<footer>Test mode: this page simulates the bank of your card. No real card, no real money.</footer>
</body>
</html>
`
})

/** Makes a page with a message on which there is nothing to do: the end of a challenge, or an error. */
export const message = (status: number, title: string, text: string): PageAnswer =>
  page(status, title, `<p>${escaped(text)}</p>`)

/** Makes a page that posts its form by itself. Without scripts, the customer uses its button. */
export const autoPost = (action: string, fields: Fields): PageAnswer =>
  page(
    200,
    "Back to the shop",
    `<form method="post" action="${escaped(action)}">
${hidden(fields)}
<button type="submit">Continue</button>
</form>
<script>${script}</script>`
  )

/** The content of the challenge page. */
export interface Challenge {
  readonly merchantName: string
  readonly amount: string
  readonly lastFour: string
  readonly password: string
  /** Number of attempts that are left. Undefined before the first wrong password. */
  readonly triesLeft: number | undefined
  /** The fields that the browser brought. The form contains them, so that the browser brings them again. */
  readonly fields: Fields
}

/** Makes the page on which the customer enters the password or cancels. */
export const challenge = (ask: Challenge): PageAnswer => {
  const { amount, fields, lastFour, merchantName, password, triesLeft } = ask
  const wrong =
    triesLeft === undefined ? "" : `<p role="alert" id="wrong">That is not the password. Tries left: ${triesLeft}.</p>`
  const described = triesLeft === undefined ? "known" : "wrong known"
  return page(
    200,
    "Confirm your payment",
    `<p class="lead">Is this payment yours? Confirm it with the password of your online banking.</p>
<dl>
<dt>Shop</dt><dd>${escaped(merchantName)}</dd>
<dt>Amount</dt><dd>${escaped(amount)}</dd>
<dt>Card</dt><dd>ending in ${escaped(lastFour)}</dd>
</dl>
${wrong}
<form method="post">
${hidden(fields)}
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="off" autofocus aria-describedby="${described}"${triesLeft === undefined ? "" : ' aria-invalid="true"'}>
<p class="note" id="known">Test mode: the password is <strong>${escaped(password)}</strong>. Anything else is wrong.</p>
<button type="submit" name="action" value="confirm">Confirm</button>
<button class="quiet" type="submit" name="action" value="cancel">Cancel</button>
</form>`
  )
}
