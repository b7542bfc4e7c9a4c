/** The sandbox's merchant, and the endpoints of this merchant. No value here is a secret. */
import type * as Directory from "@pay/gateway/Directory"
import { approver } from "./SandboxApprover.ts"
import * as SandboxKeyPair from "./SandboxKeyPair.ts"

/** The ids of endpoints and of a group, with which a path may end. */
export const endpoints = {
  usd: "1001",
  eur: "1002",
  jpy: "1003",
  kwd: "1004",
  /** `control` covers the amount times 100, whatever the currency. */
  x100: "1005",
  /** Payments and payouts above 100.00 end as `filtered`. */
  limited: "1006",
  /** 3-D Secure on the gateway's own pages; USD and EUR. */
  threeds3dsGateway: "1101",
  /** 3-D Secure that the merchant runs by uploads; USD and EUR. */
  threedsMerchant: "1102",
  /** Money leaves the balance only after `merchant.approver` has approved; USD and EUR. */
  approval: "1201",
  /** Callbacks are posted as JSON; USD and EUR. */
  jsonCallbacks: "1301",
  /** The group of the endpoints `usd`, `eur`, `jpy` and `kwd`. */
  group: "2001"
} as const

/** The merchant's credentials and endpoints. No value here is a secret. */
export const merchant = {
  login: "sandbox-merchant",
  controlKey: "5A4DB0C5-91F0-4D7C-9A3B-1E6C0F2D7B48",
  privateKeyPem: SandboxKeyPair.privateKeyPem,
  publicKeyPem: SandboxKeyPair.publicKeyPem,
  /** The person who approves payouts on `endpoints.approval`. */
  approver,
  endpoints
} as const

/** The merchant as the gateway's configuration describes it. */
export const directory: typeof Directory.Config.Encoded = [
  {
    login: merchant.login,
    name: "Sandbox merchant",
    controlKeys: [merchant.controlKey],
    publicKeys: [merchant.publicKeyPem],
    approvers: [{ name: approver.name, publicKey: approver.publicKeyPem }],
    endpoints: [
      { id: endpoints.usd, currencies: ["USD"], descriptor: "SANDBOX USD", threeds: "off" },
      { id: endpoints.eur, currencies: ["EUR"], descriptor: "SANDBOX EUR", threeds: "off" },
      { id: endpoints.jpy, currencies: ["JPY"], descriptor: "SANDBOX JPY", threeds: "off" },
      { id: endpoints.kwd, currencies: ["KWD"], descriptor: "SANDBOX KWD", threeds: "off" },
      { id: endpoints.x100, currencies: ["USD", "EUR", "JPY", "KWD"], controlAmount: "x100", threeds: "off" },
      {
        id: endpoints.limited,
        currencies: ["USD", "EUR"],
        maxAmount: { USD: "100.00", EUR: "100.00" },
        payoutMaxAmount: { USD: "100.00", EUR: "100.00" },
        threeds: "off"
      },
      {
        id: endpoints.threeds3dsGateway,
        currencies: ["USD", "EUR"],
        descriptor: "SANDBOX 3DS",
        threeds: "gateway"
      },
      {
        id: endpoints.threedsMerchant,
        currencies: ["USD", "EUR"],
        descriptor: "SANDBOX 3DS",
        threeds: "merchant"
      },
      { id: endpoints.approval, currencies: ["USD", "EUR"], payoutApproval: true, threeds: "off" },
      { id: endpoints.jsonCallbacks, currencies: ["USD", "EUR"], callbackFormat: "json", threeds: "off" }
    ],
    groups: [{ id: endpoints.group, endpoints: [endpoints.usd, endpoints.eur, endpoints.jpy, endpoints.kwd] }]
  }
]
