/**
 * What an issuer asks of the customer's browser where it has no method page (EMV 3-D Secure, browser information): collected
 * by a form that a script fills, completed from the headers with which the form was posted, and uploaded.
 */
import * as PayApi from "@pay/schema/PayApi"
import { Option, Schema } from "effect"

const operation = PayApi.operations.TDS_UPLOAD_METHOD_URL_RESULT
const {
  browserAcceptHeader,
  browserColorDepth,
  browserJavaEnabled,
  browserJavascriptEnabled,
  browserLanguage,
  browserScreenHeight,
  browserScreenWidth,
  browserTZ,
  browserUserAgent
} = operation.fields

const Upload = Schema.Struct({
  browserAcceptHeader,
  browserColorDepth,
  browserJavaEnabled,
  browserJavascriptEnabled,
  browserLanguage,
  browserScreenHeight,
  browserScreenWidth,
  browserTZ,
  browserUserAgent
})
export type Upload = typeof Upload.Type

/** The form's fields, by the names of the upload. */
export const names: ReadonlyArray<string> = Object.keys(Upload.fields)

/** The form as it is before its script runs: without JavaScript it says so. */
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

/** A JavaScript function that fills the form that it is given. */
export const fill = `form=>{const facts={browserJavascriptEnabled:true,browserJavaEnabled:false,browserColorDepth:[48,32,24,16,15,8,4,1].find(depth=>depth<=screen.colorDepth),browserScreenHeight:screen.height,browserScreenWidth:screen.width,browserTZ:new Date().getTimezoneOffset(),browserLanguage:navigator.language.slice(0,8),browserUserAgent:navigator.userAgent};for(const name in facts)form.elements[name].value=facts[name]}`

/** Whether a browser brings this form back. */
export const isIn = (browserFields: Readonly<Record<string, string>>): boolean =>
  browserFields.browserJavascriptEnabled !== undefined

/** Completes what the form says with the headers of the request that brought it; they win. */
export const withHeaders = (
  browserFields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
): Readonly<Record<string, string>> => {
  if (!isIn(browserFields)) return browserFields
  const header = (name: string): string | undefined => {
    const value = headers[name]
    return typeof value === "string" ? value : value?.join(",")
  }
  const given = {
    browserAcceptHeader: header("accept")?.slice(0, 2048),
    browserLanguage: header("accept-language")?.match(/^[A-Za-z0-9-]{2,8}/)?.[0],
    browserUserAgent: header("user-agent")?.slice(0, 2048)
  }
  return {
    ...browserFields,
    ...Object.fromEntries(Object.entries(given).flatMap(([name, text]) => (text ? [[name, text]] : [])))
  }
}

const decode = Schema.decodeUnknownOption(Upload)

/** The fields of the upload. What does not fit is left out: the issuer is asked all the same. */
export const read = (browserFields: Readonly<Record<string, string>>): Upload => {
  const fitting = names.flatMap((name) => {
    const text = browserFields[name]?.trim() ?? ""
    return text === "" || operation.infos.get(name)?.flaw(text) !== undefined ? [] : [[name, text] as const]
  })
  return Option.getOrElse(decode(Object.fromEntries(fitting)), () => ({}))
}

/** The names of these fields in the payload of a card payment. */
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

/** The values for a browser that does not report them. Without them the gateway asks the browser once more. */
const requestDefaults = {
  customerBrowserInfo: "true",
  customerBrowserAcceptHeader: "*/*",
  customerBrowserAcceptLanguage: "en",
  customerBrowserJavaEnabled: "false",
  customerBrowserUserAgent: "unknown"
}

const isUploadName = (name: string): name is keyof Upload => name in requestNames

/**
 * Returns the browser's fields of a card payment from a checkout form that includes {@link form}, and from the headers with which
 * it was posted. The gateway then need not ask the browser for them.
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
