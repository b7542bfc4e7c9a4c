/** What merchants of the world know, and how the gateway's configuration describes them. */
import * as Directory from "@pay/gateway/Directory"
import * as SandboxMerchant from "@pay/sandbox/SandboxMerchant"
import { Schema } from "effect"
import * as OtherKeyPair from "../../harness/OtherKeyPair.ts"
import * as StubContract from "../../workflows/stub/StubContract.ts"

export type Endpoint = keyof typeof SandboxMerchant.endpoints

const isEndpoint = (name: string): name is Endpoint => Object.hasOwn(SandboxMerchant.endpoints, name)

/** The names of all that a merchant has. */
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

/** Shares nothing with the first but the gateway. Nobody approves its payouts. */
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

/** Is at the stub gateway, and unknown to ours. */
export const third: Account = {
  ...{ login: "third-merchant", controlKey: StubContract.controlKey, configuration: [] },
  ...{ privateKeyPem: first.privateKeyPem, endpoints: first.endpoints }
}

/** The gateway's configuration with these merchants. */
export const directory = (accounts: ReadonlyArray<Account>): Directory.Config =>
  Schema.decodeSync(Directory.Config)(accounts.flatMap(({ configuration }) => configuration))

/** What the gateway's configuration says of one endpoint. */
const configOf = ({ configuration, endpoints: ids }: Account, endpoint: Endpoint) =>
  configuration.flatMap((merchant) => merchant.endpoints).find(({ id }) => id === ids[endpoint])

/** An endpoint that covers the amount times 100 by its signature, whatever the currency. */
export const controlAmountOf = (account: Account, endpoint: Endpoint): "minor" | "x100" =>
  configOf(account, endpoint)?.controlAmount ?? "minor"

/** One currency of one endpoint. */
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
