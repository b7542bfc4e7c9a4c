/** Returns the signed values of an operation from a command line, for signing, verifying and explaining. */
import * as Canonical from "@pay/schema/Canonical"
import * as ControlReadings from "@pay/schema/ControlReadings"
import type * as Scheme from "@pay/schema/Scheme"
import { UsageError } from "../terminal/UsageError.ts"
import * as Credentials from "./Credentials.ts"
import * as Endpoint from "./Endpoint.ts"
import type { FieldInput } from "./FieldInput.ts"

/** The text that stands for the control key. */
export const keyMask = "<control key>"

/** Returns the values of a control's recipe. The endpoint id is required only if the recipe covers it. */
export const controlValues = (scheme: Scheme.Control, input: FieldInput): Readonly<Record<string, string>> =>
  Canonical.controlValues(input.operation, input.texts, context(scheme, input))

/** Fails if a signed amount has no currency. The number of minor units depends on the currency. */
export const needCurrency = ({ recipe }: Scheme.Control, { given, operation, texts }: FieldInput): void => {
  const isSigned = recipe.includes("amount") && texts.amount !== undefined && operation.fields.has("currency")
  if (isSigned && texts.currency === undefined && Credentials.controlAmount(given) === "minor")
    throw new UsageError("The amount is signed in minor units of its currency: give --currency", operation.command)
}

/** Returns other values that may have been signed, if the rules refuse a field. */
export const readings = (scheme: Scheme.Control, input: FieldInput): ReadonlyArray<ControlReadings.Reading> =>
  ControlReadings.readings(input.operation, input.parameters, input.texts, context(scheme, input))

const context = ({ recipe }: Scheme.Control, { given }: FieldInput): Canonical.Context => ({
  endpointId: recipe.includes("endpointId") ? Endpoint.id(given) : "",
  mode: Credentials.controlAmount(given)
})

/** Returns the method of a received header if the operation accepts it, otherwise the method that the client uses. */
export const method = ({ methods }: Scheme.OAuth, authorization = ""): Scheme.Method =>
  methods.find((method) => authorization.includes(`"${method}"`)) ?? methods[0]
