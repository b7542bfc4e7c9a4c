/**
 * The browser information that 3-D Secure needs (EMV 3-D Secure, browser information) if the issuer has no method page. A form
 * that a script fills collects it, the headers of the posted form complete it, and the flow uploads it.
 */
import * as BrowserForm from "@pay/schema/BrowserForm"

/** See the module `BrowserForm` of `@pay/schema`. */
export const { fill, form, isIn, names, read } = BrowserForm

export type Upload = BrowserForm.Facts

/** Returns the posted fields. Those of the form are completed with the headers of the same request. */
export const withHeaders = (browserFields: BrowserForm.Fields, headers: BrowserForm.Headers): BrowserForm.Fields =>
  isIn(browserFields) ? BrowserForm.withHeaders(browserFields, headers) : browserFields

/**
 * Returns the fields about the browser in the payload of a card payment, from a checkout form that includes {@link form}, and from
 * the headers with which it was posted. With these fields the gateway does not have to request them from the browser.
 *
 * ```ts
 * CardSale.execute({ ...payment, ...BrowserData.paymentFields(posted, request.headers) })
 * ```
 */
export const paymentFields = (posted: BrowserForm.Fields, headers: BrowserForm.Headers) => {
  const facts = read(BrowserForm.withHeaders(posted, headers))
  return {
    customerBrowserInfo: true,
    // Without these four, the gateway requests the data from the browser again.
    customerBrowserAcceptHeader: facts.browserAcceptHeader ?? "*/*",
    customerBrowserAcceptLanguage: facts.browserLanguage ?? "en",
    customerBrowserJavaEnabled: facts.browserJavaEnabled ?? false,
    customerBrowserUserAgent: facts.browserUserAgent ?? "unknown",
    customerBrowserJavascriptEnabled: facts.browserJavascriptEnabled,
    customerBrowserColorDepth: facts.browserColorDepth,
    customerBrowserScreenHeight: facts.browserScreenHeight,
    customerBrowserScreenWidth: facts.browserScreenWidth,
    customerBrowserTimeZone: facts.browserTZ
  }
}
