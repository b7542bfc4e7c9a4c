/** The merchant whose modules use the older dialect, and the endpoints of this merchant. No value here is a secret. */
import type * as Directory from "@pay/gateway/Directory"
import * as SandboxOlderKeyPair from "./SandboxOlderKeyPair.ts"

/** The ids of endpoints and of a group, with which a path may end. */
export const endpoints = {
  usd: "4001",
  eur: "4002",
  /** 3-D Secure on the gateway's own pages; USD and EUR. */
  threedsGateway: "4101",
  /** 3-D Secure that the merchant runs by uploads; USD and EUR. */
  threedsMerchant: "4102",
  /** The group of the endpoints `usd` and `eur`, addressed as `/group/5001`. */
  group: "5001"
} as const

/** The merchant's credentials and endpoints. No value here is a secret. */
export const merchant = {
  login: "sandbox-older",
  controlKey: "C7B2A3D4-1F60-4E58-8A9B-70D1E2F3A4B5",
  privateKeyPem: SandboxOlderKeyPair.privateKeyPem,
  publicKeyPem: SandboxOlderKeyPair.publicKeyPem,
  endpoints
} as const

const both = ["json", "pairs"] as const

/** The merchant as the gateway's configuration describes it. */
export const directory: typeof Directory.Config.Encoded = [
  {
    login: merchant.login,
    name: "Sandbox merchant of the older dialect",
    controlKeys: [merchant.controlKey],
    publicKeys: [merchant.publicKeyPem],
    endpoints: [
      { id: endpoints.usd, currencies: ["USD"], descriptor: "SANDBOX USD", threeds: "off", dialects: both },
      { id: endpoints.eur, currencies: ["EUR"], descriptor: "SANDBOX EUR", threeds: "off", dialects: both },
      {
        id: endpoints.threedsGateway,
        currencies: ["USD", "EUR"],
        descriptor: "SANDBOX 3DS",
        threeds: "gateway",
        dialects: both
      },
      {
        id: endpoints.threedsMerchant,
        currencies: ["USD", "EUR"],
        descriptor: "SANDBOX 3DS",
        threeds: "merchant",
        dialects: both
      }
    ],
    groups: [{ id: endpoints.group, endpoints: [endpoints.usd, endpoints.eur] }]
  }
]
