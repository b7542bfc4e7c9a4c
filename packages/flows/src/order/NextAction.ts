/**
 * The next action: the step that the customer's browser must do before a payment can continue. A `CustomerBrowser` of your own carries
 * it out.
 */
import * as Status from "@pay/schema/Status"
import type { StatusResponse } from "@pay/schema/StatusResponse"
import { Schema } from "effect"
import * as BrowserData from "./BrowserData.ts"

const page = {
  /**
   * A page of the gateway that carries out the action. Show it in the browser unchanged, the page of `Method` in a hidden frame.
   */
  html: Schema.optionalKey(Schema.String)
}

/**
 * The next action of the customer's browser.
 * - `Redirect`: open `url`, a page of the gateway, which sends the browser back to the order's `redirect_url`.
 * - `Page`: show `html`, a page of the gateway, which sends the browser back to the order's `redirect_url`.
 * - `Method`: post `threeDSMethodData` to the issuer in a hidden frame, for at most ten seconds.
 * - `BrowserData`: the issuer has no method page. Post the fields of `BrowserData.form` to `redirect_url`.
 * - `Challenge`: post `creq` to the issuer, which sends the browser to `redirect_url` with `cres`.
 * - `PaReq`: post `PaReq`, `MD` and `TermUrl` to the issuer, which sends the browser to `redirect_url` with `PaRes` and `MD`.
 */
export const NextAction = Schema.Union([
  Schema.TaggedStruct("Redirect", { url: Schema.String }),
  Schema.TaggedStruct("Page", { html: Schema.String }),
  Schema.TaggedStruct("Method", {
    url: Schema.String,
    threeDSMethodData: Schema.String,
    serverTransId: Schema.String,
    ...page
  }),
  Schema.TaggedStruct("BrowserData", { serverTransId: Schema.String }),
  Schema.TaggedStruct("Challenge", { url: Schema.String, creq: Schema.String, ...page }),
  Schema.TaggedStruct("PaReq", { url: Schema.String, pareq: Schema.String, md: Schema.String, ...page })
])
export type NextAction = typeof NextAction.Type

/** A next action for which the browser posts a form. */
export type FormAction = Exclude<NextAction, { readonly _tag: "Redirect" | "Page" }>

/** Whether the gateway handles the action and sends the browser back, so that the merchant uploads nothing. */
export const isLed = (nextAction: NextAction): nextAction is Exclude<NextAction, FormAction> =>
  nextAction._tag === "Redirect" || nextAction._tag === "Page"

/**
 * Returns the address to which the browser posts the fields of {@link form}. It is the issuer's page or, for `BrowserData`, the
 * merchant's own address.
 */
export const target = (nextAction: FormAction, backUrl: string): string =>
  nextAction._tag === "BrowserData" ? backUrl : nextAction.url

/**
 * Returns the fields of the form that the browser posts. `backUrl` is the order's `redirect_url`. Only the form of 3-D Secure 1
 * (`PaReq`) contains it.
 */
export const form = (nextAction: FormAction, backUrl: string): Readonly<Record<string, string>> => {
  switch (nextAction._tag) {
    case "BrowserData":
      return BrowserData.form
    case "Method":
      return { threeDSMethodData: nextAction.threeDSMethodData }
    case "Challenge":
      return { creq: nextAction.creq }
    case "PaReq":
      return { PaReq: nextAction.pareq, MD: nextAction.md, TermUrl: backUrl }
  }
}

/** Returns the next action of the browser for an order, or `undefined` if the order does not wait for the browser. */
export const of = (answer: StatusResponse): NextAction | undefined => {
  const { "acs-url": acsUrl, creq, html, md = "", pareq, "redirect-to": redirectTo } = answer
  const page = html === undefined ? {} : { html }
  if (redirectTo !== undefined) return { _tag: "Redirect", url: redirectTo }
  switch (answer["threeds-stage"]) {
    case "method": {
      const url = answer["threeds-method-url"]
      const threeDSMethodData = answer["threeds-method-data"]
      const serverTransId = answer["threeds-server-trans-id"]
      if (serverTransId === undefined) return undefined
      if (url === undefined) return { _tag: "BrowserData", serverTransId }
      if (threeDSMethodData === undefined) return undefined
      return { _tag: "Method", url, threeDSMethodData, serverTransId, ...page }
    }
    case "challenge":
      return acsUrl === undefined || creq === undefined ? undefined : { _tag: "Challenge", url: acsUrl, creq, ...page }
    case "pareq":
      return acsUrl === undefined || pareq === undefined
        ? undefined
        : { _tag: "PaReq", url: acsUrl, pareq, md, ...page }
    default:
      return html === undefined || Status.isFinal(answer.status) ? undefined : { _tag: "Page", html }
  }
}
