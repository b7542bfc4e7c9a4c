/** What Enter alone answers when a flow asks for its fields. */
import { randomUUID } from "node:crypto"
import * as SandboxMerchant from "@pay/sandbox/SandboxMerchant"
import type { OperationFacts } from "./Contract.ts"

/** The first currency of an endpoint of the sandbox, or of the first one of a group. */
const currencyOf = (id: string | undefined): string | undefined => {
  const endpoints = SandboxMerchant.directory.flatMap(({ endpoints }) => endpoints)
  const groups = SandboxMerchant.directory.flatMap(({ groups = [] }) => groups)
  const first = groups.find((group) => group.id === id)?.endpoints[0] ?? id
  return endpoints.find((endpoint) => endpoint.id === first)?.currencies[0]
}

/** A new name for the order; at a sandbox also all that a test needs. Nobody is charged by accident: elsewhere, no more. */
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
