/** The files of the shop, for everybody and without a cookie, and the page for every other address. */
import * as BrowserData from "@pay/flows/BrowserData"
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { pictures } from "../checkout/Pictures.ts"
import * as Brand from "./Brand.ts"
import * as Page from "./Page.ts"
import { missing } from "./Visitor.ts"

/** Fills in what 3-D Secure asks about the browser, in the form of the checkout. */
const script = `for (const form of document.forms) if (form.elements.browserTZ) (${BrowserData.fill})(form)`

const style = `
:root { color-scheme: light dark; --page: light-dark(#f2f4f6, #0f151b); --paper: light-dark(#fff, #19222b);
  --ink: light-dark(#16202b, #edf1f5); --soft: light-dark(#55626f, #a9b5c1); --line: light-dark(#858f9a, #7c8997);
  --rule: light-dark(#e1e5ea, #2b3743); --accent: light-dark(${Brand.color}, ${Brand.darkColor}); --on: light-dark(#fff, #08202f);
  --error: light-dark(#a32a1f, #ff9d92); font: 1rem/1.5 system-ui, sans-serif }
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--ink); overflow-wrap: anywhere; min-height: 100vh;
  display: flex; flex-direction: column }
header, main, footer { width: 100%; max-width: 46rem; margin: 0 auto; padding: 1rem }
header { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1.5rem }
header a { display: flex; align-items: center; gap: .75rem; min-height: 2.75rem }
header a:first-child { font-size: 1.25rem; font-weight: 700; text-decoration: none; color: inherit; margin-inline-end: auto }
header img { width: 2.25rem; height: 2.25rem }
main { width: calc(100% - 2rem); background: var(--paper); border: 1px solid var(--rule); border-radius: 1rem; padding: 1.5rem }
footer { color: var(--soft); font-size: .875rem; margin-block-start: auto }
a { color: var(--accent) }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; text-wrap: balance }
p { margin: .25rem 0 }
.sign { display: inline-block; font-weight: 650; font-size: .875rem; padding: .125rem .625rem; border-radius: 1rem;
  background: var(--page) }
.error { color: var(--error); font-size: .9375rem }
[role=alert] { border: 1px solid; border-radius: .625rem; padding: .625rem .875rem; margin-block-end: 1rem }
.rows { padding: 0; margin: 1.5rem 0 0 }
.rows:empty { display: none }
.rows > li { list-style: none; border-top: 1px solid var(--rule); padding: 1rem 0 }
.rows > li > a { font-weight: 650 }
.rows:has(img) { display: grid; grid-template-columns: repeat(auto-fill, minmax(12rem, 1fr)); gap: 1.25rem }
.rows:has(img) > li { border: 1px solid var(--rule); border-radius: .75rem; padding: 0 0 1rem; overflow: hidden }
.rows:has(img) > li > :not(img) { display: block; margin-inline: 1rem }
.rows img { display: block; width: 100%; height: auto; margin-block-end: .75rem }
main > form { margin-block-start: 1rem }
main > form > p { margin: 0 0 1rem }
@media (min-width: 36rem) {
  main > form { display: grid; grid-template-columns: 1fr 1fr; gap: 0 1rem; align-items: start }
  main > form > button, main > form > p:has(select) { grid-column: 1 / -1 }
}
label { display: block; font-weight: 600; font-size: .9375rem }
input, select, button { font: inherit; font-size: 1rem; min-height: 2.75rem; padding: .5rem .75rem; border-radius: .625rem;
  max-width: 100% }
input, select { display: block; font-weight: 400; width: 100%; margin-block-start: .25rem; color: inherit; background: var(--paper);
  border: 1px solid var(--line) }
[aria-invalid=true] { border-color: var(--error); outline: 1px solid var(--error) }
button { font-weight: 650; border: 1px solid var(--accent); background: var(--accent); color: var(--on); cursor: pointer }
main > form > button { width: 100%; min-height: 3.125rem }
main > form ~ form > button { background: none; color: var(--accent) }
button:hover { filter: brightness(.93) }
:focus-visible { outline: 3px solid #2f80c3; outline-offset: 2px }
li form { display: flex; flex-wrap: wrap; align-items: end; gap: .5rem; margin-block-start: .625rem }
li form p { margin: 0 }
li input { width: 9rem }
li button { background: none; color: var(--accent); min-height: 2.5rem }
form:has(option[value=card]:not(:checked)) [data-way=card] { display: none }
`

const file = (text: string, contentType: string) =>
  HttpServerResponse.text(text, {
    contentType,
    headers: { "cache-control": "max-age=300", "x-content-type-options": "nosniff" }
  })

export const layer = HttpRouter.use((router) =>
  Effect.all([
    router.add("GET", "/shop.css", file(style, "text/css; charset=utf-8")),
    router.add("GET", "/logo.svg", file(Brand.logo, "image/svg+xml")),
    ...Object.entries(pictures).map(([id, picture]) =>
      router.add("GET", `/pictures/${id}.svg`, file(picture, "image/svg+xml"))
    ),
    router.add("GET", "/shop.js", file(script, "text/javascript; charset=utf-8")),
    router.add("*", "*", Page.problem(missing))
  ])
)
