/**
 * What a 3-D Secure server and the directory refuse in an authentication request of a browser (EMV 3-D Secure, table A.1), by the
 * version of the message. The rules are written from the table, not from the gateway's code, so that they detect its mistakes.
 */
import type { AuthenticationRequest } from "@pay/gateway/ThreeDSServer"

type Rule = (value: unknown) => boolean

const text =
  (longest: number): Rule =>
  (value) =>
    typeof value === "string" && value.length > 0 && value.length <= longest && !/\p{Cc}/u.test(value)

const pixels: Rule = (value) => /^\d{1,6}$/.test(String(value))
const flag: Rule = (value) => typeof value === "boolean"
const depth: Rule = (value) => [1, 4, 8, 15, 16, 24, 32, 48].some((bits) => bits === value)
const zone: Rule = (value) => /^-?\d{1,4}$/.test(String(value)) && Math.abs(Number(value)) <= 840

/** A language tag (BCP 47): a language, and subtags of which none is a single letter at the end. */
const tag =
  (longest: number): Rule =>
  (value) =>
    typeof value === "string" &&
    value.length <= longest &&
    /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/.test(value) &&
    !/-.$/.test(value)

const notificationUrl: Rule = (value) => text(256)(value) && URL.canParse(String(value))

/**
 * Returns the names of the elements that are missing or not valid. Elements about the screen are required if the browser runs
 * scripts; version 2.1 requires them always.
 */
export const invalidElements = (
  { browser, notificationUrl: url }: Pick<AuthenticationRequest, "browser" | "notificationUrl">,
  version: string
): ReadonlyArray<string> => {
  const minor = Number(version.split(".")[1])
  const scripted: ReadonlyArray<readonly [name: string, value: unknown, rule: Rule]> = [
    ["browserJavaEnabled", browser.javaEnabled, flag],
    ["browserColorDepth", browser.colorDepth, depth],
    ["browserScreenHeight", browser.screenHeight, pixels],
    ["browserScreenWidth", browser.screenWidth, pixels],
    ["browserTZ", browser.timeZoneMinutes, zone]
  ]
  const required = minor < 2 || browser.javascriptEnabled
  return [
    ["browserAcceptHeader", browser.acceptHeader, text(2048)] as const,
    ["browserUserAgent", browser.userAgent, text(2048)] as const,
    ["browserLanguage", browser.language, tag(minor < 3 ? 8 : 35)] as const,
    ["browserJavascriptEnabled", browser.javascriptEnabled, flag] as const,
    ["browserIP", browser.ip ?? "0.0.0.0", text(45)] as const,
    ["notificationURL", url, notificationUrl] as const,
    ...scripted.filter(([, value]) => required || value !== undefined)
  ].flatMap(([name, value, rule]) => (rule(value) ? [] : [name]))
}
