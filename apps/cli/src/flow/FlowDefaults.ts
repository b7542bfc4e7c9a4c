/** Default values for the fields that a flow requests from the user. Enter alone accepts them. */
import { randomUUID } from "node:crypto"
import * as SandboxMerchant from "@pay/sandbox/SandboxMerchant"
import type { OperationFacts } from "../command/Contract.ts"

/** Returns the first currency of an endpoint of the sandbox. For a group, the first endpoint of the group counts. */
const currencyOf = (id: string | undefined): string | undefined => {
  const endpoints = SandboxMerchant.directory.flatMap(({ endpoints }) => endpoints)
  const groups = SandboxMerchant.directory.flatMap(({ groups = [] }) => groups)
  const first = groups.find((group) => group.id === id)?.endpoints[0] ?? id
  return endpoints.find((endpoint) => endpoint.id === first)?.currencies[0]
}

/**
 * Returns the default of each field: a new name for the order and, only at a sandbox, sample values for all other fields, so that
 * no real card is charged by accident.
 */
export const make = (
  { fields, spellings }: OperationFacts,
  { endpointId, isSandbox }: { readonly endpointId: string | undefined; readonly isSandbox: boolean }
) => {
  const fresh = randomUUID().replaceAll("-", "").slice(0, 12).toUpperCase()
  const order = spellings.get("client_orderid")
  return (field: string): string | undefined => {
    if (field === order) return fresh
    if (!isSandbox) return undefined
    return (field === "currency" ? currencyOf(endpointId) : undefined) ?? fields.get(field)?.sample
  }
}
