/**
 * The browser information that 3-D Secure needs (EMV 3-D Secure, browser information) if the issuer has no method page. A form
 * that a script fills collects it, the headers of the posted form complete it, and the flow uploads it.
 */
import * as PayApi from "@pay/schema/PayApi"
import { Option, Schema, Struct } from "effect"

const operation = PayApi.operations.TDS_UPLOAD_METHOD_URL_RESULT

const Upload = Schema.Struct(
  Struct.pick(operation.fields, [
    "browserAcceptHeader",
    "browserColorDepth",
    "browserJavaEnabled",
    "browserJavascriptEnabled",
    "browserLanguage",
    "browserScreenHeight",
    "browserScreenWidth",
    "browserTZ",
    "browserUserAgent"
  ])
)
export type Upload = typeof Upload.Type

/** The names of the form's fields. They are the names that the upload uses. */
export const names: ReadonlyArray<string> = Object.keys(Upload.fields)

/** The values of the form before its script runs. A browser without JavaScript posts them unchanged. */
export const form: Readonly<Record<string, string>> = {
  browserJavascriptEnabled: "false",
  browserJavaEnabled: "",
  browserColorDepth: "",
  browserScreenHeight: "",
  browserScreenWidth: "",
  browserTZ: "",
  browserLanguage: "",
  browserUserAgent: ""
}

/** Source of a JavaScript function that fills the form that it gets as its argument. */
export const fill = `form=>{const facts={browserJavascriptEnabled:true,browserJavaEnabled:false,browserColorDepth:[48,32,24,16,15,8,4,1].find(depth=>depth<=screen.colorDepth),browserScreenHeight:screen.height,browserScreenWidth:screen.width,browserTZ:new Date().getTimezoneOffset(),browserLanguage:navigator.language.slice(0,8),browserUserAgent:navigator.userAgent};for(const name in facts)form.elements[name].value=facts[name]}`

/** Whether the posted fields come from this form. */
export const isIn = (browserFields: Readonly<Record<string, string>>): boolean =>
  browserFields.browserJavascriptEnabled !== undefined

/** Returns the posted fields, completed with the headers of the same request. A header replaces the posted value. */
export const withHeaders = (
  browserFields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
): Readonly<Record<string, string>> => {
  if (!isIn(browserFields)) return browserFields
  const header = (name: string): string | undefined => {
    const value = headers[name]
    return typeof value === "string" ? value : value?.join(",")
  }
  const headerFields = {
    browserAcceptHeader: header("accept")?.slice(0, 2048),
    browserLanguage: header("accept-language")?.match(/^[A-Za-z0-9-]{2,8}/)?.[0],
    browserUserAgent: header("user-agent")?.slice(0, 2048)
  }
  return {
    ...browserFields,
    ...Object.fromEntries(Object.entries(headerFields).flatMap(([name, text]) => (text ? [[name, text]] : [])))
  }
}

const decode = Schema.decodeUnknownOption(Upload)

/** Returns the fields of the upload. Values that the specification does not allow are left out, and the rest is uploaded. */
export const read = (browserFields: Readonly<Record<string, string>>): Upload => {
  const fitting = names.flatMap((name) => {
    const text = browserFields[name]?.trim() ?? ""
    return text === "" || operation.infos.get(name)?.flaw(text) !== undefined ? [] : [[name, text] as const]
  })
  return Option.getOrElse(decode(Object.fromEntries(fitting)), () => ({}))
}

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
  customerBrowserInfo: "true",
  customerBrowserAcceptHeader: "*/*",
  customerBrowserAcceptLanguage: "en",
  customerBrowserJavaEnabled: "false",
  customerBrowserUserAgent: "unknown"
}

const isUploadName = (name: string): name is keyof Upload => name in requestNames

/**
 * Returns the browser fields of a card payment from a checkout form that includes {@link form}, and from the headers with which
 * it was posted. With these fields the gateway does not have to request them from the browser.
 */
export const requestFields = (
  posted: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
): Readonly<Record<string, string>> => {
  const fields = Object.entries(read(withHeaders(posted, headers)))
  return {
    ...requestDefaults,
    ...Object.fromEntries(
      fields.flatMap(([name, value]) => (isUploadName(name) ? [[requestNames[name], `${value}`]] : []))
    )
  }
}
