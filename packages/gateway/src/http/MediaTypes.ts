/** The headers `Accept` and `Content-Type` of a request. */
import { mediaType } from "@pay/schema/Dialect"

export interface Headed {
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

const formType = "application/x-www-form-urlencoded"

export const header = (request: Headed, name: string): string => {
  const value = request.headers[name]
  return typeof value === "string" ? value : value === undefined ? "" : value.join(",")
}

/** Media types of one `Accept` that are looked at, and parameters of each: whole browsers send fewer. */
const mostAccepted = 32

/** Whether an `Accept` has the media type of JSON mode. */
export const accepts = (text: string): boolean =>
  text === mediaType ||
  text.split(",", mostAccepted).some((part) => {
    const [type = "", ...parameters] = part.split(";", mostAccepted).map((piece) => piece.trim().toLowerCase())
    return type === mediaType && !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter))
  })

/** Whether a `Content-Type` is that of a form. */
export const isForm = (text: string): boolean =>
  text === formType || text.split(";", 1)[0]?.trim().toLowerCase() === formType
