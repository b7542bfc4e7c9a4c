/**
 * The form in which a customer's browser reports its facts for 3-D Secure. A script fills the form, and the headers of the posted
 * form complete it. The pages of merchants and of the gateway have the same form.
 */
import { Option, Schema, Struct } from "effect"
import { UploadMethodUrlResult } from "./operations/ThreeDSUpload.ts"

const Facts = Schema.Struct(
  Struct.pick(UploadMethodUrlResult.fields, [
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
/** The facts of a browser, as the upload has them. */
export type Facts = typeof Facts.Type

/** The names of the facts. They are the names that the upload uses. */
export const names: ReadonlyArray<string> = Object.keys(Facts.fields)

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
export const fill = `form=>{const facts={browserJavascriptEnabled:true,browserJavaEnabled:false,browserColorDepth:screen.colorDepth,browserScreenHeight:screen.height,browserScreenWidth:screen.width,browserTZ:new Date().getTimezoneOffset(),browserLanguage:navigator.language,browserUserAgent:navigator.userAgent};for(const name in facts)form.elements[name].value=facts[name]}`

export type Fields = Readonly<Record<string, string>>
export type Headers = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** Whether the posted fields come from this form. */
export const isIn = (fields: Fields): boolean => fields.browserJavascriptEnabled !== undefined

/** The headers of a request that are facts, by the names of the facts. */
const headerNames = {
  browserAcceptHeader: "accept",
  browserLanguage: "accept-language",
  browserUserAgent: "user-agent"
} as const

const headerText = (value: Headers[string]): string => (typeof value === "string" ? value : (value?.join(",") ?? ""))

const isUsable = (name: string, text: string): boolean =>
  UploadMethodUrlResult.infos.get(name)?.translation.decode(text) !== undefined

/** Returns the fields of the form, completed with the headers of the same request. A header replaces the posted value. */
export const withHeaders = (fields: Fields, headers: Headers): Fields => {
  const sent = Object.entries(headerNames).map(([name, header]) => [name, headerText(headers[header])] as const)
  return { ...fields, ...Object.fromEntries(sent.filter(([name, text]) => isUsable(name, text))) }
}

const decode = Schema.decodeUnknownOption(Facts)

/** Returns the facts in the fields of the form. A fact that the browser does not report is left out. */
export const read = (fields: Fields): Facts => {
  const reported = names.flatMap((name) => {
    const text = fields[name]
    return text !== undefined && isUsable(name, text) ? [[name, text] as const] : []
  })
  return Option.getOrElse(decode(Object.fromEntries(reported)), () => ({}))
}
