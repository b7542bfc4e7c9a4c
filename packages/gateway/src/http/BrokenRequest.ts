/** Why the parser of HTTP gave a request up, as the refusal that it is answered with. */
import { type Refused, refuse } from "../kernel/Answer.ts"

export const refusalOf = ({ code, message }: NodeJS.ErrnoException): Refused => {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return refuse("requestTimeout")
  if (code === "HPE_HEADER_OVERFLOW") return refuse("bodyTooLarge", { message: "The request's headers are too large" })
  return code === "HPE_INVALID_TRANSFER_ENCODING" && !message.includes("Content-Length")
    ? refuse("transferCodingUnsupported")
    : refuse("malformedForm", { message: "The request is not valid HTTP" })
}
