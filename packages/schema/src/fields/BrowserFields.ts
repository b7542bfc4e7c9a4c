/** Fields about the customer's browser for 3-D Secure (EMV 3-D Secure, browser information; lengths of its table A.1). */
import { Schema } from "effect"
import * as Field from "../Field.ts"
import { notAnAddress } from "./CustomerFields.ts"

export const AcceptHeader = Field.text({
  about: "The browser's `Accept` header.",
  max: 2048,
  sample: "text/html,application/xhtml+xml"
})

export const UserAgent = Field.text({
  about: "The browser's `User-Agent` header.",
  max: 2048,
  sample: "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"
})

export const Ip = Field.text({
  about: "The browser's IP address.",
  max: 45,
  sample: "203.0.113.7",
  rule: notAnAddress
})

export const Language = Field.text({
  about: "The browser's language, BCP 47.",
  max: 8,
  sample: "en-US",
  pattern: /^[A-Za-z0-9-]+$/,
  must: "must be a language tag"
})

export const JavaEnabled = Field.boolean({ about: "Whether the browser runs Java.", sample: "false" })
export const JavascriptEnabled = Field.boolean({ about: "Whether the browser runs JavaScript.", sample: "true" })

const depths = ["1", "4", "8", "15", "16", "24", "32", "48"] as const

export const ColorDepth = Field.oneOf(depths, {
  about: `The screen's color depth in bits per pixel: ${depths.join(", ")}.`,
  sample: "24"
})

const pixels = (about: string, sample: string) =>
  Field.integer({ about, max: 6, sample, pattern: /^\d+$/, must: "must be a number of pixels" })

export const ScreenHeight = pixels("The screen's height in pixels.", "1080")
export const ScreenWidth = pixels("The screen's width in pixels.", "1920")

export const TimeZone = Field.integer({
  about: "Minutes between UTC and the browser's local time, as `getTimezoneOffset()` gives them.",
  max: 5,
  sample: "-60",
  pattern: /^[+-]?\d{1,4}$/,
  must: "must be a number of minutes"
})

/** Fields about the customer's browser in a request with card data. */
export const customerBrowser = {
  customer_browser_info: Schema.optionalKey(
    Field.boolean({ about: "Whether the `customer_browser_*` fields are sent.", sample: "true" })
  ),
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
