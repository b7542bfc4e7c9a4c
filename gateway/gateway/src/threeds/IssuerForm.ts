/**
 * The field `html` of `status`: a page that sends the browser to the issuer automatically, for merchants who run 3-D Secure on
 * their own site; in the older dialect also to the gateway's own page. Its content security policy allows only its one script.
 * Without JavaScript it shows a button.
 */
import "../kernel/OldNode.ts"
import * as crypto from "node:crypto"
import { html, trusted } from "../kernel/Html.ts"

const script = "document.forms[0].submit()"
const policy = `default-src 'none'; script-src 'sha256-${crypto.hash("sha256", script, "base64")}'; frame-src https: http:`

export interface IssuerForm {
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
  /** True: the form is posted into a hidden frame, and the page stays. */
  readonly hidden: boolean
  /** Method of the form; by default `post`. */
  readonly method?: "get" | "post"
}

export const render = ({ action, fields, hidden, method = "post" }: IssuerForm): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<title>3-D Secure</title>
</head>
<body>
<form method="${method}" action="${action}"${hidden && trusted(' target="issuer"')}>
${Object.entries(fields).map(
  ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`
)}<noscript><button type="submit">Continue</button></noscript>
</form>
${hidden && trusted('<iframe name="issuer" title="3-D Secure" hidden></iframe>\n')}<script>${trusted(script)}</script>
</body>
</html>
`.text
