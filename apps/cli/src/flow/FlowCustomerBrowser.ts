/** The browser of a customer at this terminal: the program opens each address, or prints it to be opened by hand. */
import * as BrowserData from "@pay/flows/BrowserData"
import { CustomerBrowser } from "@pay/flows/CustomerBrowser"
import * as NextAction from "@pay/flows/NextAction"
import { escaped, hidden } from "@pay/schema/Markup"
import { Effect, Layer } from "effect"
import type { ReturnListener } from "./ReturnListener.ts"

/** Returns the script that submits the form. If the issuer requests browser data, the script fills in the data first. */
const scriptOf = ({ _tag }: NextAction.FormAction): string =>
  `${_tag === "BrowserData" ? `(${BrowserData.fill})(document.forms[0]);` : ""}document.forms[0].submit()`

const pageOf = (nextAction: Exclude<NextAction.NextAction, { readonly _tag: "Redirect" }>, backUrl: string): string =>
  nextAction._tag === "Page" ? nextAction.html : formPage(nextAction, backUrl)

const formPage = (nextAction: NextAction.FormAction, backUrl: string): string =>
  ("html" in nextAction ? nextAction.html : undefined) ??
  `<!doctype html><title>pay</title><form method="post" action="${escaped(NextAction.target(nextAction, backUrl))}">${hidden(
    NextAction.form(nextAction, backUrl)
  )}<button>Continue</button></form><script>${scriptOf(nextAction)}</script>`

/** Provides the customer's browser. `open` shows an address to the customer. */
export const layer = (
  listener: ReturnListener | undefined,
  backUrl: string,
  open: (url: string) => void,
  tell: (text: string) => void
): Layer.Layer<CustomerBrowser> =>
  Layer.succeed(CustomerBrowser, {
    send: ({ nextAction }) =>
      Effect.sync(() => {
        if (nextAction._tag === "Redirect") return open(nextAction.url)
        if (listener === undefined) {
          return tell(
            "The customer's browser must go to the issuer, and then returns to redirect_url. This program does not listen there"
          )
        }
        if (!listener.show(pageOf(nextAction, backUrl))) open(listener.pageUrl)
      })
  })
