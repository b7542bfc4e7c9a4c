/** Configurations of merchants: the sandbox's own with some endpoints changed, and another merchant beside it. */
import * as Directory from "@pay/gateway/Directory"
import * as SandboxMerchant from "@pay/sandbox/SandboxMerchant"
import { Array as Arr, Schema } from "effect"
import * as OtherKeyPair from "./OtherKeyPair.ts"

type Encoded = typeof Directory.Config.Encoded
type Endpoint = Encoded[number]["endpoints"][number]

/** Knows how to sign, and owns nothing of the sandbox's merchant. */
export const other = {
  login: "other-merchant",
  controlKey: "0C0B5C3C-6C0B-4B9E-8C57-3F3B5D1E4A11",
  endpointId: "3001"
} as const

const otherMerchant: Encoded[number] = {
  login: other.login,
  controlKeys: [other.controlKey],
  publicKeys: [OtherKeyPair.publicKeyPem],
  endpoints: [{ id: other.endpointId, currencies: ["USD"], threeds: "off" }]
}

/** Both merchants; `changes` by the number of the endpoint. */
export const both = (changes: Readonly<Record<string, Partial<Endpoint>>> = {}): Directory.Config =>
  Schema.decodeSync(Directory.Config)([
    ...SandboxMerchant.directory.map((merchant) => ({
      ...merchant,
      endpoints: Arr.map(merchant.endpoints, (endpoint) => ({ ...endpoint, ...changes[endpoint.id] }))
    })),
    otherMerchant
  ])

/** Both merchants, the sandbox's own without this endpoint. */
export const without = (endpointId: string): Directory.Config =>
  both().map((merchant) => {
    const endpoints = merchant.endpoints.filter(({ id }) => id !== endpointId)
    return Arr.isReadonlyArrayNonEmpty(endpoints) ? { ...merchant, endpoints } : merchant
  })
