/**
 * The data about the customer's browser: of a payment's request (`customer_browser_*`, `ipaddress`), and of the form that the pages
 * of merchants and of the gateway have.
 */
import type * as BrowserForm from "@pay/schema/BrowserForm"
import type { Request } from "@pay/schema/Operation"
import type * as PayApi from "@pay/schema/PayApi"
import * as CustomerAddress from "../../network/CustomerAddress.ts"

/** Properties of the customer's browser. Missing properties never cause 3-D Secure to be skipped. */
export interface Browser {
  readonly acceptHeader: string | undefined
  readonly ip: CustomerAddress.CustomerAddress | undefined
  readonly javaEnabled: boolean | undefined
  readonly javascriptEnabled: boolean | undefined
  readonly language: string | undefined
  readonly colorDepth: number | undefined
  readonly screenHeight: number | undefined
  readonly screenWidth: number | undefined
  readonly timeZoneMinutes: number | undefined
  readonly userAgent: string | undefined
}

type Fields = Pick<
  Request<typeof PayApi.operations.SALE>,
  "ipaddress" | Extract<keyof Request<typeof PayApi.operations.SALE>, `customer_browser_${string}`>
>

export const browserOf = (request: Fields): Browser => ({
  acceptHeader: request.customer_browser_accept_header,
  ip: CustomerAddress.addressOf(request.ipaddress),
  javaEnabled: request.customer_browser_java_enabled,
  javascriptEnabled: request.customer_browser_javascript_enabled,
  language: request.customer_browser_accept_language,
  colorDepth: request.customer_browser_color_depth,
  screenHeight: request.customer_browser_screen_height,
  screenWidth: request.customer_browser_screen_width,
  timeZoneMinutes: request.customer_browser_time_zone,
  userAgent: request.customer_browser_user_agent
})

/** Returns the data of the form. Its address is that of the request that posted it. */
export const ofForm = (facts: BrowserForm.Facts, ip: CustomerAddress.CustomerAddress | undefined): Browser => ({
  acceptHeader: facts.browserAcceptHeader,
  ip,
  javaEnabled: facts.browserJavaEnabled,
  javascriptEnabled: facts.browserJavascriptEnabled,
  language: facts.browserLanguage,
  colorDepth: facts.browserColorDepth,
  screenHeight: facts.browserScreenHeight,
  screenWidth: facts.browserScreenWidth,
  timeZoneMinutes: facts.browserTZ,
  userAgent: facts.browserUserAgent
})
