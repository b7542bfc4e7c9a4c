/** The merchants of the simulation: their keys and endpoints, and their part of the gateway's configuration. */
import * as Directory from "@pay/gateway/Directory"
import * as SandboxMerchant from "@pay/sandbox/SandboxMerchant"
import { Schema } from "effect"
import * as OtherKeyPair from "../../harness/OtherKeyPair.ts"
import * as StubContract from "../../workflows/stub/StubContract.ts"

export type Endpoint = keyof typeof SandboxMerchant.endpoints

const isEndpoint = (name: string): name is Endpoint => Object.hasOwn(SandboxMerchant.endpoints, name)

/** The names of a merchant's endpoints. */
export const endpoints: ReadonlyArray<Endpoint> = Object.keys(SandboxMerchant.endpoints).filter(isEndpoint)

export interface Account {
  readonly login: string
  readonly controlKey: string
  readonly privateKeyPem: string
  readonly endpoints: Readonly<Record<Endpoint, string>>
  /** Its part of the gateway's configuration. */
  readonly configuration: ReadonlyArray<(typeof Directory.Config.Encoded)[number]>
}

export const first: Account = { ...SandboxMerchant.merchant, configuration: SandboxMerchant.directory }

/** Returns the number of the second merchant's endpoint that corresponds to this one of the first. */
const renumbered = (id: string): string => String(Number(id) + 7000)

const each = <A, B>([first, ...others]: readonly [A, ...ReadonlyArray<A>], change: (value: A) => B) =>
  [change(first), ...others.map(change)] as const

const secondKey = "0C3A4E52-7B1D-4F0A-8E96-2D5B7C9F1A83"

/** Shares only the gateway with the first merchant. Its payouts need no approver, and its orders have short numbers. */
export const second: Account = {
  login: "second-merchant",
  controlKey: secondKey,
  privateKeyPem: OtherKeyPair.privateKeyPem,
  endpoints: {
    ...first.endpoints,
    ...Object.fromEntries(Object.entries(first.endpoints).map(([name, id]) => [name, renumbered(id)]))
  },
  configuration: SandboxMerchant.directory.map((merchant) => ({
    ...merchant,
    login: "second-merchant",
    name: "Second merchant",
    controlKeys: [secondKey],
    publicKeys: [OtherKeyPair.publicKeyPem],
    approvers: [],
    numbers: "short",
    endpoints: each(merchant.endpoints, (endpoint) => ({
      ...endpoint,
      id: renumbered(endpoint.id),
      payoutApproval: false
    })),
    groups: (merchant.groups ?? []).map((group) => ({
      ...group,
      id: renumbered(group.id),
      endpoints: each(group.endpoints, renumbered)
    }))
  }))
}

/** Uses the stub gateway. Our gateway does not know it. */
export const third: Account = {
  ...{ login: "third-merchant", controlKey: StubContract.controlKey, configuration: [] },
  ...{ privateKeyPem: first.privateKeyPem, endpoints: first.endpoints }
}

/** The gateway's configuration with these merchants. */
export const directory = (accounts: ReadonlyArray<Account>): Directory.Config =>
  Schema.decodeSync(Directory.Config)(accounts.flatMap(({ configuration }) => configuration))

/** Returns the gateway's configuration of an endpoint. */
const configOf = ({ configuration, endpoints: ids }: Account, endpoint: Endpoint) =>
  configuration.flatMap((merchant) => merchant.endpoints).find(({ id }) => id === ids[endpoint])

/** Returns how the endpoint's signature covers the amount: in minor units, or times 100 in every currency. */
export const controlAmountOf = (account: Account, endpoint: Endpoint): "minor" | "x100" =>
  configOf(account, endpoint)?.controlAmount ?? "minor"

/** A currency of an endpoint. */
export interface EndpointCurrency {
  readonly endpoint: Endpoint
  readonly currency: string
}

const unattendedOf = (account: Account): ReadonlyArray<EndpointCurrency> =>
  endpoints.flatMap((endpoint) => {
    const config = configOf(account, endpoint)
    const group = account.configuration
      .flatMap(({ groups = [] }) => groups)
      .find(({ id }) => id === account.endpoints[endpoint])
    const members = account.configuration.flatMap((merchant) =>
      merchant.endpoints.filter(({ id }) => group?.endpoints.some((member) => member === id))
    )
    const isUnattended = config?.threeds === "off" && config.payoutApproval !== true
    return (isUnattended ? [config] : members).flatMap(({ currencies }) =>
      currencies.map((currency) => ({ endpoint, currency }))
    )
  })

const entries = new Map<Account, ReadonlyArray<EndpointCurrency>>()

/** Returns the endpoints and currencies at which payments need neither a page nor an approver. */
export const unattended = (account: Account): ReadonlyArray<EndpointCurrency> => {
  const matches = entries.get(account) ?? unattendedOf(account)
  entries.set(account, matches)
  return matches
}
