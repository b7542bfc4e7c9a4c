/**
 * Books an operator's posting to the balance for payouts, once for each reference and with an audit entry, and reads the
 * balances (docs/assumptions.md#payout-balance).
 */

import * as Money from "@pay/schema/Money"
import { Clock, Effect, Result } from "effect"
import type { Actor } from "../kernel/Audit.ts"
import * as Audit from "../kernel/Audit.ts"
import { Ids } from "../kernel/Ids.ts"
import { Balance } from "../kernel/LedgerTable.ts"
import { Store } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import { Directory } from "../merchants/Directory.ts"
import * as Fund from "./decide/Fund.ts"
import { Funding } from "./decide/Fund.ts"

export interface Posting {
  readonly reference: string
  readonly merchant: string
  readonly endpoint: string
  /** Currency of the posting; by default the only currency of the endpoint. */
  readonly currency: string | undefined
  /** The amount in major units. */
  readonly amount: string
}

export type Funded =
  /** The posting is booked: now, or (`isReplay`) before under the same reference. */
  | { readonly _tag: "Booked"; readonly funding: Funding; readonly isReplay: boolean }
  | { readonly _tag: "Wrong"; readonly message: string }
  /** The reference was already used for a different posting. */
  | { readonly _tag: "Differs"; readonly funding: Funding }

const wrong = (message: string): Funded => ({ _tag: "Wrong", message })

export const make = Effect.gen(function* () {
  const store = yield* Store
  const directory = yield* Directory
  const ids = yield* Ids

  const fundingOf = (posting: Posting, nowMs: number): Funding | Funded => {
    const route = directory.route(posting.endpoint)
    const endpoint = directory.endpoint(posting.endpoint)
    if (endpoint === undefined || route?.merchant.login !== posting.merchant)
      return wrong(`merchant ${posting.merchant} has no endpoint ${posting.endpoint}`)
    const [only, ...others] = endpoint.currencies
    const currency = posting.currency ?? (others.length === 0 ? only : undefined)
    if (currency === undefined || !endpoint.currencies.has(currency))
      return wrong(`endpoint ${endpoint.id} takes ${[...endpoint.currencies].join(", ")}: give one as currency`)
    const amountMinor = Money.toMinor(posting.amount, currency)
    if (Result.isFailure(amountMinor)) return wrong(`amount ${posting.amount} ${amountMinor.failure.says}`)
    return {
      reference: posting.reference,
      merchantId: posting.merchant,
      endpointId: endpoint.id,
      currency,
      amountMinor: amountMinor.success,
      createdAtMs: nowMs
    }
  }

  const repeated = (existing: Funding, posting: Funding): Funded =>
    Fund.isSame(existing, posting)
      ? { _tag: "Booked", funding: existing, isReplay: true }
      : { _tag: "Differs", funding: existing }

  const add = Effect.fn("FundBalance.add")(function* (posting: Posting, actor: Actor) {
    const nowMs = yield* Clock.currentTimeMillis
    const funding = fundingOf(posting, nowMs)
    if ("_tag" in funding) return funding
    const { amountMinor, currency, endpointId, merchantId, reference } = funding
    const existingFunding = yield* store.load(Funding, [reference])
    if (existingFunding !== undefined) return repeated(existingFunding, funding)
    const { guards, writes } = Fund.decide(funding)
    const audited = Audit.entry({
      auditId: ids.next(),
      atMs: nowMs,
      actor,
      action: "balance.add",
      subject: { kind: "merchant", id: merchantId },
      detail: { reference, endpoint: endpointId, currency, amountMinor }
    })
    const booked: Funded = { _tag: "Booked", funding, isReplay: false }
    const lostGuard = yield* Transact.lostGuardOf(store, { guards, writes: [...writes, audited] })
    if (lostGuard?._tag === "BalanceHasRoom")
      return wrong(`amount ${posting.amount} would take the balance past what an account can hold`)
    const concurrentFunding = lostGuard === undefined ? undefined : yield* store.load(Funding, [reference])
    return concurrentFunding === undefined ? booked : repeated(concurrentFunding, funding)
  })

  /** Returns the balances of the merchant's accounts for payouts, in minor units. */
  const show = Effect.fn("FundBalance.show")(function* (merchantId: string) {
    const rows = yield* store.find(Balance, "key", {
      from: `${merchantId}/`,
      to: `${merchantId}/\u{10ffff}`,
      limit: maxAccounts
    })
    const reports = new Map<string, BalanceReport>()
    for (const { account, minor } of rows) {
      const [endpointId = "", currency = "", name = ""] = account.slice(merchantId.length + 1).split("/")
      const field = shownAs.get(name)
      if (field === undefined) continue
      const key = `${endpointId}/${currency}`
      const report = reports.get(key) ?? { endpointId, currency, availableMinor: 0n, heldMinor: 0n, paidMinor: 0n }
      reports.set(key, { ...report, [field]: minor })
    }
    return [...reports.values()]
  })

  return { add, show }
})

export interface BalanceReport {
  readonly endpointId: string
  readonly currency: string
  /** Amount that may be paid out. */
  readonly availableMinor: bigint
  /** Amount that is reserved for payouts in flight. */
  readonly heldMinor: bigint
  readonly paidMinor: bigint
}

const shownAs: ReadonlyMap<string, "availableMinor" | "heldMinor" | "paidMinor"> = new Map([
  ["payout_available", "availableMinor"],
  ["payout_held", "heldMinor"],
  ["payout_rail", "paidMinor"]
])

/** Highest number of accounts that are loaded: more than a merchant has combinations of endpoint, currency and account. */
const maxAccounts = 10_000
