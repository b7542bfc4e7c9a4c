/** The address of an operation. */
import * as EndpointId from "@pay/schema/EndpointId"
import type { OperationFacts } from "./Contract.ts"
import * as Credentials from "./Credentials.ts"
import type { Given } from "./Flags.ts"
import { UsageError } from "./UsageError.ts"

export const id = (given: Given): string => {
  const result = EndpointId.parse(Credentials.need(given, "endpoint-id"))
  if (result !== undefined) return result
  throw new UsageError("--endpoint-id must be a number from 1 to 2^63 − 1")
}

/** Absolute, as OAuth signs it. */
export const url = ({ path }: OperationFacts, given: Given): string => {
  const base = URL.parse(Credentials.need(given, "base-url"))
  if (base === null || !/^https?:$/.test(base.protocol) || base.search !== "" || base.hash !== "") {
    throw new UsageError("--base-url must be an absolute http(s) address without query")
  }
  return `${base.origin}${base.pathname.replace(/^(.*[^/])?\/*$/s, "$1")}${path}/${id(given)}`
}
