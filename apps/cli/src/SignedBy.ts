/** What an operation is signed over, from a command line: for signing, verifying and explaining alike. */
import * as Canonical from "@pay/schema/Canonical"
import type * as Scheme from "@pay/schema/Scheme"
import * as Credentials from "./Credentials.ts"
import * as Endpoint from "./Endpoint.ts"
import type { FieldInput } from "./FieldInput.ts"

/** The values of a control's recipe. The endpoint id is asked for only where the recipe covers it. */
export const controlValues = (
  { recipe }: Scheme.Control,
  { given, operation, texts }: FieldInput
): Readonly<Record<string, string>> =>
  Canonical.controlValues(operation, texts, {
    endpointId: recipe.includes("endpointId") ? Endpoint.id(given) : "",
    mode: Credentials.controlAmount(given)
  })

/** The method of a received header where the operation takes it, else the one that our client uses. */
export const method = ({ methods }: Scheme.OAuth, authorization = ""): Scheme.Method =>
  methods.find((method) => authorization.includes(`"${method}"`)) ?? methods[0]
