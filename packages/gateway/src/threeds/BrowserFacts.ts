/** What is known of a customer's browser, gathered from the request, the upload and the gateway's own pages. */
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

export const nothing: Browser = {
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

/** A row without browser, or with one that cannot be read, knows nothing of it: that never skips 3-D Secure. */
export const fromRow = (text: string | null): Browser => {
  const facts = decode(text ?? "{}")
  return Result.isSuccess(facts)
    ? { ...nothing, ...facts.success, ip: CustomerAddress.addressOf(facts.success.ip) }
    : nothing
}

/**
 * Whether an authentication request needs nothing more of the browser (EMV 3-D Secure, browser information). Without
 * JavaScript there is no screen to measure; the address is required only where local law allows it.
 */
export const isComplete = (browser: Browser): boolean => {
  const { colorDepth, javaEnabled, screenHeight, screenWidth, timeZoneMinutes } = browser
  const always = [browser.acceptHeader, browser.userAgent, browser.language]
  const scripted = [javaEnabled, colorDepth, screenHeight, screenWidth, timeZoneMinutes]
  const needed = browser.javascriptEnabled === false ? always : [...always, ...scripted]
  return needed.every((fact) => fact !== undefined)
}

/** Later facts win; what they leave open stays as it was. */
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
