/** The page at the gateway's root address: what the gateway is, and where to continue. */
import { html } from "../../kernel/Html.ts"
import * as Language from "./Language.ts"
import { fill } from "./Language.ts"
import type { HtmlPage } from "./Layout.ts"

/** Guides of the repository, which the gateway does not serve. */
const guides = [
  "docs/merchants/client.md",
  "docs/merchants/operations.md",
  "docs/merchants/flows.md",
  "docs/merchants/shop.md",
  "examples/README.md"
]

/** Returns the page. That of a sandbox also lists the interface and the guides, because its visitor is a developer. */
export const page = (language: Language.Language, publicBaseUrl: string, isSandbox: boolean): HtmlPage => {
  const { home } = Language.languages[language]
  return {
    status: 200,
    language,
    title: home.title,
    testCards: "open",
    main: html`<section class="home"><h1>${home.title}</h1><p>${home.about}</p><h2>${home.customerTitle}</h2><p>${home.customer}</p><h2>${home.developerTitle}</h2><p>${isSandbox ? fill(home.sandbox, { address: publicBaseUrl }) : home.developer}</p>${
      isSandbox && html`<ul>${guides.map((path) => html`<li><code dir="ltr">${path}</code></li>`)}</ul>`
    }<p><a href="healthz">healthz</a> · <a href="readyz">readyz</a></p></section>`
  }
}
