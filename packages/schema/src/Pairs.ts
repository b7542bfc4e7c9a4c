/**
 * The body of an answer in the older dialect: `name=value`, a line feed, then `&name=value` and a line feed for each further
 * field. Values are `application/x-www-form-urlencoded`, in UTF-8. Modules split at `&` and trim.
 */
import * as Form from "@pay/signing/Form"
import * as PercentEncoding from "@pay/signing/PercentEncoding"

/** The `Content-Type` of an answer in the older dialect. */
export const contentType = "text/html;charset=utf-8"

const encode = (text: string): string => PercentEncoding.encode(text).replaceAll("%20", "+").replaceAll("~", "%7E")

/**
 * Writes the fields in this order.
 *
 * @example write([["type", "async-response"], ["status", "processing"]]) === "type=async-response\n&status=processing\n"
 */
export const write = (fields: ReadonlyArray<Form.Parameter>): string =>
  fields.map(([name, value]) => `${encode(name)}=${encode(value)}\n`).join("&")

const name = /^[\w.-]+$/

/**
 * Reads the fields of a body. Names and values are trimmed; empty values are left out. Undefined for a text that is not such a
 * body: a name with a character that no field name has, escapes that are not UTF-8, or one name with two values. Undefined also
 * for a body that was cut off: its values end with line feeds, and the last one does not.
 *
 * @example read("type=async-response\n&status=\n") // { type: "async-response" }
 */
export const read = (body: string): Readonly<Record<string, string>> | undefined => {
  const form = Form.parse(body)
  if (!form.ok || (body.includes("\n&") && !body.endsWith("\n"))) return undefined
  const fields = new Map<string, string>()
  for (const [spelling, text] of form.parameters) {
    const field = spelling.trim()
    const value = text.trim()
    if (!name.test(field) || (fields.get(field) ?? value) !== value) return undefined
    fields.set(field, value)
  }
  return Object.fromEntries([...fields].filter(([, value]) => value !== ""))
}
