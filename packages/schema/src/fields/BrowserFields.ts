/**
 * Fields about the customer's browser for 3-D Secure (EMV 3-D Secure, browser information). A value that is not usable counts as
 * absent, and never refuses a payment.
 */
import { Schema } from "effect"
import * as Browser from "../Browser.ts"
import * as Fact from "../Fact.ts"

const header = (about: string, sample: string) =>
  Fact.make(Schema.String, { about, max: Browser.longestHeader, sample, read: Browser.header })

const flag = (about: string, sample: string) => Fact.make(Schema.Boolean, { about, max: 5, sample, read: Browser.flag })

const pixels = (about: string, sample: string) => Fact.make(Schema.Int, { about, max: 6, sample, read: Browser.pixels })

export const AcceptHeader = header(
  "The browser's `Accept` header. A longer one is cut.",
  "text/html,application/xhtml+xml"
)

export const UserAgent = header(
  "The browser's `User-Agent` header. A longer one is cut.",
  "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"
)

export const Ip = Fact.make(Schema.String, {
  about: "The browser's IP address.",
  max: 45,
  sample: "203.0.113.7",
  read: Browser.ip
})

/** Every gateway takes a language of eight characters, so a longer one is cut before it is sent. */
export const Language = Fact.make(Schema.String, {
  about: "The browser's language, BCP 47, or its `Accept-Language` header.",
  max: Browser.longestLanguage.before23,
  sample: "en-US",
  read: Browser.language,
  write: (tag) => Browser.cut(tag, Browser.longestLanguage.before23) ?? ""
})

export const JavaEnabled = flag("Whether the browser runs Java.", "false")
export const JavascriptEnabled = flag("Whether the browser runs JavaScript.", "true")

export const ColorDepth = Fact.make(Schema.Int, {
  about: `The screen's color depth in bits per pixel. It is rounded down to ${Browser.colorDepths.join(", ")}.`,
  max: 2,
  sample: "24",
  read: Browser.colorDepth
})

export const ScreenHeight = pixels("The screen's height in pixels.", "1080")
export const ScreenWidth = pixels("The screen's width in pixels.", "1920")

export const TimeZone = Fact.make(Schema.Int, {
  about: "Minutes between UTC and the browser's local time, as `getTimezoneOffset()` gives them.",
  max: 5,
  sample: "-60",
  read: Browser.timeZone
})

/** Fields about the customer's browser in a request with card data. */
export const customerBrowser = {
  customer_browser_info: Schema.optionalKey(flag("Whether the `customer_browser_*` fields are sent.", "true")),
  customer_browser_accept_header: Schema.optionalKey(AcceptHeader),
  customer_browser_user_agent: Schema.optionalKey(UserAgent),
  customer_browser_accept_language: Schema.optionalKey(Language),
  customer_browser_javascript_enabled: Schema.optionalKey(JavascriptEnabled),
  customer_browser_java_enabled: Schema.optionalKey(JavaEnabled),
  customer_browser_color_depth: Schema.optionalKey(ColorDepth),
  customer_browser_screen_height: Schema.optionalKey(ScreenHeight),
  customer_browser_screen_width: Schema.optionalKey(ScreenWidth),
  customer_browser_time_zone: Schema.optionalKey(TimeZone)
}
