/** What a payment's request says of the customer's browser (`customer_browser_*`, `ipaddress`). */
import type { Request } from "@pay/schema/Operation"
import type * as PayApi from "@pay/schema/PayApi"
import * as CustomerAddress from "../domain/CustomerAddress.ts"
import type { Browser } from "../ports/ThreeDSServer.ts"

type Fields = Pick<
  Request<typeof PayApi.operations.SALE>,
  "ipaddress" | Extract<keyof Request<typeof PayApi.operations.SALE>, `customer_browser_${string}`>
>

export const browserOf = (request: Fields): Browser => ({
  acceptHeader: request.customer_browser_accept_header,
  ip: CustomerAddress.known(request.ipaddress),
  javaEnabled: request.customer_browser_java_enabled,
  javascriptEnabled: request.customer_browser_javascript_enabled,
  language: request.customer_browser_accept_language,
  colorDepth: request.customer_browser_color_depth,
  screenHeight: request.customer_browser_screen_height,
  screenWidth: request.customer_browser_screen_width,
  timeZoneMinutes: request.customer_browser_time_zone,
  userAgent: request.customer_browser_user_agent
})
