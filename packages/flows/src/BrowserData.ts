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

/** The names of the fields of the browser information in the payload of a card payment. */
const requestNames = {
  browserAcceptHeader: "customerBrowserAcceptHeader",
  browserColorDepth: "customerBrowserColorDepth",
  browserJavaEnabled: "customerBrowserJavaEnabled",
  browserJavascriptEnabled: "customerBrowserJavascriptEnabled",
  browserLanguage: "customerBrowserAcceptLanguage",
  browserScreenHeight: "customerBrowserScreenHeight",
  browserScreenWidth: "customerBrowserScreenWidth",
  browserTZ: "customerBrowserTimeZone",
  browserUserAgent: "customerBrowserUserAgent"
} as const satisfies Record<keyof Upload, string>

/** The values for a browser that does not report them. Without them the gateway requests the data from the browser again. */
const requestDefaults = {
  customerBrowserInfo: true,
  customerBrowserAcceptHeader: "*/*",
  customerBrowserAcceptLanguage: "en",
  customerBrowserJavaEnabled: false,
  customerBrowserUserAgent: "unknown"
}

const isUploadName = (name: string): name is keyof Upload => name in requestNames

/**
 * Returns the browser's facts for the payload of a card payment, from a checkout form that includes {@link form}, and from the headers with which
 * it was posted. With these fields the gateway does not have to request them from the browser.
 */
export const requestFacts = (
  posted: BrowserForm.Fields,
  headers: BrowserForm.Headers
): Readonly<Record<string, string | number | boolean>> => {
  const facts = Object.entries(read(BrowserForm.withHeaders(posted, headers)))
  return {
    ...requestDefaults,
    ...Object.fromEntries(
      facts.flatMap(([name, value]) =>
        isUploadName(name) && value !== undefined ? [[requestNames[name], value] as const] : []
      )
    )
  }
}

/** Returns the {@link requestFacts} as text, for a payload that is decoded from text. */
export const requestFields = (posted: BrowserForm.Fields, headers: BrowserForm.Headers): BrowserForm.Fields =>
  Object.fromEntries(Object.entries(requestFacts(posted, headers)).map(([name, fact]) => [name, String(fact)]))
