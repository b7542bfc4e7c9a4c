/** Data about a customer's browser, collected from the request, the upload and the gateway's own pages. */
import { cut, longestLanguage } from "@pay/schema/Browser"
import { Result, Schema } from "effect"
import * as CustomerAddress from "../../network/CustomerAddress.ts"
import type { Browser, BrowserInformation } from "../ThreeDSServer.ts"

const Text = Schema.optionalKey(Schema.String)
const Flag = Schema.optionalKey(Schema.Boolean)
const Whole = Schema.optionalKey(Schema.Int)

const StoredBrowser = Schema.fromJsonString(
  Schema.Struct({
    acceptHeader: Text,
    ip: Text,
    javaEnabled: Flag,
    javascriptEnabled: Flag,
    language: Text,
    colorDepth: Whole,
    screenHeight: Whole,
    screenWidth: Whole,
    timeZoneMinutes: Whole,
    userAgent: Text
  })
)
const decode = Schema.decodeUnknownResult(StoredBrowser)

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

/** The facts that a browser reports by a script. */
const scriptedFacts = ({ colorDepth, javaEnabled, screenHeight, screenWidth, timeZoneMinutes }: Browser) => [
  javaEnabled,
  colorDepth,
  screenHeight,
  screenWidth,
  timeZoneMinutes
]

/**
 * Whether an authentication request has all the browser data that it requires (EMV 3-D Secure, browser information).
 * Without JavaScript the screen cannot be measured; the IP address is required only where local law allows it.
 */
export const isComplete = (browser: Browser): boolean => {
  const always = [browser.acceptHeader, browser.userAgent, browser.language]
  const needed = browser.javascriptEnabled === false ? always : [...always, ...scriptedFacts(browser)]
  return needed.every((fact) => fact !== undefined)
}

/** The values of a message for facts that a script reports. A size of 0 says that it is not known. */
const unreported = { javaEnabled: false, colorDepth: 24, screenHeight: 0, screenWidth: 0, timeZoneMinutes: 0 }

/** Whether the version (`2.2.0`) has at least this minor number. */
const isSince = (version: string, minor: number): boolean => Number(version.split(".")[1]) >= minor

/**
 * Returns the data as a message of this version takes it: with every value that is required, and none over its limit. Version 2.1
 * requires the facts of a script from every browser, later ones only from those that run scripts.
 */
export const inMessage = (browser: Browser, version: string): BrowserInformation => {
  const { acceptHeader = "*/*", language = defaultLanguage, userAgent = "unknown" } = browser
  const longest = isSince(version, 3) ? longestLanguage.since23 : longestLanguage.before23
  const javascriptEnabled = browser.javascriptEnabled ?? scriptedFacts(browser).every((fact) => fact !== undefined)
  const defaults = javascriptEnabled || !isSince(version, 2) ? unreported : none
  return {
    acceptHeader,
    userAgent,
    javascriptEnabled,
    language: cut(language, longest) ?? defaultLanguage,
    ip: browser.ip,
    javaEnabled: browser.javaEnabled ?? defaults.javaEnabled,
    colorDepth: browser.colorDepth ?? defaults.colorDepth,
    screenHeight: browser.screenHeight ?? defaults.screenHeight,
    screenWidth: browser.screenWidth ?? defaults.screenWidth,
    timeZoneMinutes: browser.timeZoneMinutes ?? defaults.timeZoneMinutes
  }
}

const defaultLanguage = "en"

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
