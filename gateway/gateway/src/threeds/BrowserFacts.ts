/** Data about a customer's browser, collected from the request, the upload and the gateway's own pages. */
import { Result, Schema } from "effect"
import * as CustomerAddress from "../network/CustomerAddress.ts"
import type { Browser } from "./ThreeDSServer.ts"

const Text = Schema.optionalKey(Schema.String)
const Flag = Schema.optionalKey(Schema.Boolean)
const Whole = Schema.optionalKey(Schema.Int)

const Facts = Schema.fromJsonString(
  Schema.Struct({
    acceptHeader: Text,
    ip: Text,
    javaEnabled: Flag,
    javascriptEnabled: Flag,
    language: Text,
    colorDepth: Text,
    screenHeight: Whole,
    screenWidth: Whole,
    timeZoneMinutes: Whole,
    userAgent: Text
  })
)
const decode = Schema.decodeUnknownResult(Facts)

export const none: Browser = {
  acceptHeader: undefined,
  ip: undefined,
  javaEnabled: undefined,
  javascriptEnabled: undefined,
  language: undefined,
  colorDepth: undefined,
  screenHeight: undefined,
  screenWidth: undefined,
  timeZoneMinutes: undefined,
  userAgent: undefined
}

/** Returns the browser's data as the text that a row stores. */
export const encode = (browser: Browser): string => JSON.stringify(browser)

/**
 * Decodes a row's data about the browser. A missing or unreadable text gives no data, which never causes 3-D Secure to
 * be skipped.
 */
export const fromRow = (text: string | null): Browser => {
  const facts = decode(text ?? "{}")
  return Result.isSuccess(facts) ? { ...none, ...facts.success, ip: CustomerAddress.addressOf(facts.success.ip) } : none
}

/**
 * Whether an authentication request has all the browser data that it requires (EMV 3-D Secure, browser information).
 * Without JavaScript the screen cannot be measured; the IP address is required only where local law allows it.
 */
export const isComplete = (browser: Browser): boolean => {
  const { colorDepth, javaEnabled, screenHeight, screenWidth, timeZoneMinutes } = browser
  const always = [browser.acceptHeader, browser.userAgent, browser.language]
  const scripted = [javaEnabled, colorDepth, screenHeight, screenWidth, timeZoneMinutes]
  const needed = browser.javascriptEnabled === false ? always : [...always, ...scripted]
  return needed.every((fact) => fact !== undefined)
}

/** Merges browser data. A later value replaces an earlier one; a missing value does not. */
export const merge = (earlier: Browser, later: Browser): Browser => ({
  acceptHeader: later.acceptHeader ?? earlier.acceptHeader,
  ip: later.ip ?? earlier.ip,
  javaEnabled: later.javaEnabled ?? earlier.javaEnabled,
  javascriptEnabled: later.javascriptEnabled ?? earlier.javascriptEnabled,
  language: later.language ?? earlier.language,
  colorDepth: later.colorDepth ?? earlier.colorDepth,
  screenHeight: later.screenHeight ?? earlier.screenHeight,
  screenWidth: later.screenWidth ?? earlier.screenWidth,
  timeZoneMinutes: later.timeZoneMinutes ?? earlier.timeZoneMinutes,
  userAgent: later.userAgent ?? earlier.userAgent
})
