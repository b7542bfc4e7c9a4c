/** Pages of the simulated issuer: plain, without anything from elsewhere, and of use with and without scripts. */
import { hash } from "node:crypto"
import type { PageAnswer } from "@pay/gateway/Pages"
import { escaped } from "@pay/schema/Markup"

const style = [
  ":root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}",
  "body{margin:0;padding:1rem}",
  "main{max-width:26rem;margin:0 auto}",
  "h1{font-size:1.25rem}",
  ".note{border-inline-start:.25rem solid;padding-inline-start:.75rem}",
  "[role=alert]{font-weight:700}",
  "label{display:block;font-weight:700}",
  "input,button{font:inherit;padding:.6rem;min-height:2.75rem;box-sizing:border-box}",
  "input{width:100%;margin-block:.25rem 1rem}",
  "dt{font-weight:700}",
  "dd{margin:0 0 .5rem}",
  ":focus-visible{outline:.2rem solid;outline-offset:.15rem}"
].join("")

const script = "document.forms[0].submit()"

const source = (text: string): string => `'sha256-${hash("sha256", text, "base64")}'`

/** A form may lead to any address: that of the merchant or gateway, and where those lead on to. It holds nothing but our own text. */
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

const hidden = (fields: Fields): string =>
  Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`)
    .join("\n")

const page = (status: number, title: string, content: string): PageAnswer => ({
  status,
  headers,
  body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} – sandbox issuer</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
<p class="note">Sandbox issuer: a simulation of your card's bank. No real card, no real money.</p>
${content}
</main>
</body>
</html>
`
})

/** The end, or what is wrong; nothing to do here. */
export const message = (status: number, title: string, text: string): PageAnswer =>
  page(status, title, `<p>${escaped(text)}</p>`)

/** Takes the browser on by itself; a button does where scripts are off. */
export const carry = (action: string, fields: Fields): PageAnswer =>
  page(
    200,
    "Back to the shop",
    `<form method="post" action="${escaped(action)}">
${hidden(fields)}
<button type="submit">Continue</button>
</form>
<script>${script}</script>`
  )

export interface Challenge {
  readonly merchantName: string
  readonly amount: string
  readonly lastFour: string
  readonly password: string
  /** Undefined before the first wrong password. */
  readonly triesLeft: number | undefined
  /** What the browser came with, to come back with it. */
  readonly fields: Fields
}

export const challenge = (ask: Challenge): PageAnswer => {
  const { amount, fields, lastFour, merchantName, password, triesLeft } = ask
  const wrong =
    triesLeft === undefined ? "" : `<p role="alert" id="wrong">That is not the password. Tries left: ${triesLeft}.</p>`
  const described = triesLeft === undefined ? "known" : "wrong known"
  return page(
    200,
    "Confirm your payment",
    `<dl>
<dt>Shop</dt><dd>${escaped(merchantName)}</dd>
<dt>Amount</dt><dd>${escaped(amount)}</dd>
<dt>Card</dt><dd>ending in ${escaped(lastFour)}</dd>
</dl>
${wrong}
<form method="post">
${hidden(fields)}
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="off" autofocus aria-describedby="${described}"${triesLeft === undefined ? "" : ' aria-invalid="true"'}>
<p id="known">The password is <strong>${escaped(password)}</strong>; anything else is wrong.</p>
<button type="submit" name="action" value="confirm">Confirm</button>
<button type="submit" name="action" value="cancel">Cancel</button>
</form>`
  )
}
