/** The directory at one time, indexed for look-ups, with the keys that are active at that time. */
import type { KeyObject } from "node:crypto"
import type { Redacted } from "effect"
import type { Described } from "./CheckedMerchants.ts"
import type { Endpoint, Merchant, Route } from "./Directory.ts"
import * as KeyLifecycle from "./decide/KeyLifecycle.ts"
import type { MerchantKey } from "./decide/MerchantKey.ts"

/** A key whose material has been opened. */
export type LoadedKey = { readonly row: MerchantKey } & (
  | { readonly kind: "control"; readonly key: Redacted.Redacted<string> }
  | { readonly kind: "rsa"; readonly key: KeyObject }
)

export interface Snapshot {
  readonly routes: ReadonlyMap<string, Route>
  readonly merchants: ReadonlyMap<string, Merchant>
  readonly endpoints: ReadonlyMap<string, Endpoint>
  /** Start of the time in which the snapshot is valid, up to before `untilMs`. */
  readonly fromMs: number
  readonly untilMs: number
}

export const make = (
  described: ReadonlyArray<Described>,
  loadedKeys: ReadonlyArray<LoadedKey>,
  nowMs: number
): Snapshot => {
  const routes = new Map<string, Route>()
  const merchants = new Map<string, Merchant>()
  const endpoints = new Map<string, Endpoint>()
  const accepted = loadedKeys
    .filter(({ row }) => KeyLifecycle.isAccepted(row, nowMs))
    .sort((one, other) => KeyLifecycle.newestFirst(one.row, other.row))
  const byMerchant = Map.groupBy(accepted, ({ row }) => row.merchantId)
  for (const { approvers, endpoints: own, groups, hasShortNumbers, login, name } of described) {
    const keys = byMerchant.get(login) ?? []
    const rowsOf = (kind: LoadedKey["kind"]) => keys.flatMap((each) => (each.kind === kind ? [each.row] : []))
    const merchant: Merchant = {
      login,
      name,
      approvers,
      hasShortNumbers,
      controlKeys: keys.flatMap((each) => (each.kind === "control" ? [each.key] : [])),
      publicKeys: keys.flatMap((each) => (each.kind === "rsa" ? [each.key] : [])),
      controlKeyNames: rowsOf("control").map(({ keyId }) => keyId),
      publicKeyNames: rowsOf("rsa").map(({ fingerprint }) => fingerprint)
    }
    merchants.set(login, merchant)
    for (const endpoint of own) {
      endpoints.set(endpoint.id, endpoint)
      routes.set(endpoint.id, { pathId: endpoint.id, merchant, endpoints: [endpoint] })
    }
    for (const { endpoints: members, id } of groups) routes.set(id, { pathId: id, merchant, endpoints: members })
  }
  const untilMs = KeyLifecycle.nextChangeMs(
    loadedKeys.map(({ row }) => row),
    nowMs
  )
  return { routes, merchants, endpoints, fromMs: nowMs, untilMs }
}
