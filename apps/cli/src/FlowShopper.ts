/** The shopper at this terminal: a browser goes where it has to, by itself or opened by hand. */
import * as BrowserData from "@pay/flows/BrowserData"
import { CustomerBrowser } from "@pay/flows/CustomerBrowser"
import * as NextAction from "@pay/flows/NextAction"
import { Effect, Layer } from "effect"
import type { ReturnListener } from "./ReturnListener.ts"

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

/** Fills the form first where the issuer asks about the browser. */
const scriptOf = ({ _tag }: NextAction.FormAction): string =>
  `${_tag === "BrowserData" ? `(${BrowserData.fill})(document.forms[0]);` : ""}document.forms[0].submit()`

const pageOf = (errand: NextAction.FormAction, backUrl: string): string =>
  ("html" in errand ? errand.html : undefined) ??
  `<!doctype html><title>pay</title><form method="post" action="${escaped(NextAction.target(errand, backUrl))}">${Object.entries(
    NextAction.form(errand, backUrl)
  )
    .map(([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`)
    .join("")}<button>Continue</button></form><script>${scriptOf(errand)}</script>`

/** `open` shows an address to the shopper. */
export const layer = (
  listener: ReturnListener | undefined,
  backUrl: string,
  open: (url: string) => void,
  tell: (text: string) => void
): Layer.Layer<CustomerBrowser> =>
  Layer.succeed(CustomerBrowser, {
    send: ({ errand }) =>
      Effect.sync(() => {
        if (errand._tag === "Redirect") return open(errand.url)
        if (listener === undefined) {
          return tell(
            "The shopper's browser has to go to the issuer, and comes back to redirect_url: nobody waits there"
          )
        }
        if (!listener.show(pageOf(errand, backUrl))) open(listener.pageUrl)
      })
  })
