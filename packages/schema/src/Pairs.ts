/**
 * The body of an answer in the older dialect: `name=value`, a line feed, then `&name=value` and a line feed for each further
 * field. Values are `application/x-www-form-urlencoded`, in UTF-8. Modules split at `&` and trim.
 */
import type * as Form from "@pay/signing/Form"
import * as PercentEncoding from "@pay/signing/PercentEncoding"

export const contentType = "text/html;charset=utf-8"

const encode = (text: string): string => PercentEncoding.encode(text).replaceAll("%20", "+").replaceAll("~", "%7E")

/**
 * Writes the fields in this order.
 *
 * @example write([["type", "async-response"], ["status", "processing"]]) === "type=async-response\n&status=processing\n"
 */
export const write = (fields: ReadonlyArray<Form.Parameter>): string =>
  fields.map(([name, value]) => `${encode(name)}=${encode(value)}\n`).join("&")
