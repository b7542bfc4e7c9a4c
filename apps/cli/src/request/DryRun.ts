/** Builds a request without sending it: the same client, on a wire that only records. */
import * as BaseString from "@pay/signing/BaseString"
import * as Control from "@pay/signing/Control"
import * as Form from "@pay/signing/Form"
import * as OAuthHeader from "@pay/signing/OAuthHeader"
import * as Wire from "@pay/transport/Wire"
import { Effect, Layer } from "effect"
import * as Output from "../terminal/Output.ts"
import type * as FieldInput from "./FieldInput.ts"
import * as Mask from "./Mask.ts"
import * as SignedBy from "./SignedBy.ts"

/** Returns a wire that records requests and sends none, and a function that returns the first recorded request. */
export const capturing = () => {
  const requests: Array<Wire.WireRequest> = []
  const layer = Layer.succeed(Wire.Wire, {
    send: (request) => {
      requests.push(request)
      return Effect.fail(new Wire.WireError({ reason: "Lost", code: "DRY_RUN" }))
    }
  })
  return { layer, request: () => requests[0] }
}

const parametersOf = (body: string): ReadonlyArray<Form.Parameter> => {
  const form = Form.parse(body)
  return form.ok ? form.parameters : []
}

/** Returns the signed text, with secret values masked. */
const signedText = (
  input: FieldInput.FieldInput,
  { headers, url }: Wire.WireRequest,
  displayed: ReadonlyArray<Form.Parameter>
): string => {
  const { signing } = input.operation
  if (signing._tag === "Control")
    return Control.preimage(signing.recipe, SignedBy.controlValues(signing, input), SignedBy.keyMask)
  const header = OAuthHeader.parse(headers.authorization ?? "")
  const parameters = [...displayed, ...(header.ok ? header.parameters : [])]
  return BaseString.make({ method: "POST", url, parameters }) ?? ""
}

export const report = (input: FieldInput.FieldInput, request: Wire.WireRequest): Output.Report => {
  const { headers, url } = request
  const { isMasked, lines } = Mask.parameters(input.operation, parametersOf(request.body))
  const body = isMasked ? Form.write(lines).replaceAll("%2A", "*") : request.body
  const signed = signedText(input, request, lines)
  const curl = [
    `curl ${Output.quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${Output.quoted(`${name}: ${value}`)}`),
    `--data-raw ${Output.quoted(body)}`
  ].join(" \\\n    ")
  const text = `Nothing was sent. The request would be:

  POST ${url}
${Object.entries(headers)
  .map(([name, value]) => `  ${name}: ${value}`)
  .join("\n")}

  ${body}

Its signed text:
  ${signed}

The same with curl:
  ${curl}${isMasked ? "\n\nNumbers and codes are masked here: write your own into the body." : ""}`
  return { text, json: { outcome: "dry-run", method: "POST", url, headers, body, signed, curl, isMasked } }
}
