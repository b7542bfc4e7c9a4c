/** The ledger is right after each commit and as a whole, as are payable balances and the amounts in callbacks. */

import { Balance, CallbackEvent, Fund, isCardKind, LedgerEntry, Order } from "@pay/gateway/Entities"
import * as Money from "@pay/schema/Money"
import * as LedgerTable from "../../../gateway/gateway/src/kernel/LedgerTable.ts"
import * as PayoutLifecycle from "../../../gateway/gateway/src/orders/record/PayoutLifecycle.ts"
import type { Change, ShadowStore } from "../ShadowStore.ts"
import type { Check, Problems } from "./Check.ts"

const exact = (minor: unknown): bigint => BigInt(String(minor ?? 0))

const add = (sums: Map<string, bigint>, name: unknown, minor: unknown): void => {
  sums.set(String(name), (sums.get(String(name)) ?? 0n) + exact(minor))
}

/** Reports a commit in which a movement does not sum to zero, or a balance changes by more than its entries. */
export const ofCommit = (changes: ReadonlyArray<Change>): Problems => {
  const movements = new Map<string, bigint>()
  const accounts = new Map<string, bigint>()
  for (const { after, before, entity } of changes) {
    if (entity === LedgerEntry) {
      add(movements, `${after?.requestId}:${after?.cause}`, after?.minor)
      add(accounts, after?.account, -exact(after?.minor))
    } else if (entity === Balance) add(accounts, after?.account, exact(after?.minor) - exact(before?.minor))
  }
  return [
    ...[...movements].flatMap(([id, minor]) => (minor === 0n ? [] : [`movement ${id} sums to ${minor}`])),
    ...[...accounts].flatMap(([id, minor]) =>
      minor === 0n ? [] : [`balance ${id} changed by ${minor} without entries`]
    )
  ]
}

/** Reports balances that are not the sums of their entries. */
const balances = (committed: ShadowStore): Problems => {
  const sums = new Map<string, bigint>()
  for (const { account, minor } of committed.rows(LedgerEntry)) add(sums, account, minor)
  for (const { account, minor } of committed.rows(Balance)) add(sums, account, -minor)
  return [...sums].flatMap(([account, minor]) => (minor === 0n ? [] : [`balance ${account} is wrong by ${-minor}`]))
}

const heldStates: ReadonlySet<string> = PayoutLifecycle.holding

/** Reports available balances that are not funding minus held and paid amounts. */
const payable = (committed: ShadowStore): Problems => {
  const wrong = new Map<string, bigint>()
  for (const { account, minor } of committed.rows(Balance)) {
    if (/payout_(available|held)$/.test(account)) add(wrong, account, minor)
  }
  for (const funding of committed.rows(Fund.Funding))
    add(wrong, LedgerTable.account(funding, "payout_available"), -funding.amountMinor)
  for (const order of committed.rows(Order)) {
    const { amountMinor, kind, state } = order
    if (isCardKind(kind)) continue
    const isHeld = heldStates.has(state)
    if (isHeld || state === "paid") add(wrong, LedgerTable.account(order, "payout_available"), amountMinor)
    if (isHeld) add(wrong, LedgerTable.account(order, "payout_held"), -amountMinor)
  }
  return [...wrong].flatMap(([account, minor]) =>
    minor === 0n ? [] : [`${account} has ${minor} more than funding and payouts leave`]
  )
}

/** Returns the sums of the amounts in approved callbacks by order and type, with each request once. */
const callbackSums = (committed: ShadowStore): ReadonlyMap<string, bigint> => {
  const requests = new Map<string, number>()
  for (const { orderId, query, requestId } of committed.rows(CallbackEvent)) {
    const fields = new URLSearchParams(query)
    if (fields.get("status") !== "approved") continue
    const amount = Money.toMinor(fields.get("amount") ?? "", fields.get("currency") ?? "")
    if (amount._tag === "Success") requests.set(`${orderId} ${fields.get("type")} ${requestId}`, amount.success)
  }
  const sums = new Map<string, bigint>()
  for (const [name, minor] of requests) add(sums, name.slice(0, name.lastIndexOf(" ")), minor)
  return sums
}

/** Reports orders whose callbacks do not sum to the order's amounts. */
const callbackAmounts = (committed: ShadowStore): Problems => {
  const sums = callbackSums(committed)
  return committed.rows(Order).flatMap((order) => {
    const { callbackUrl, capturedMinor, kind, inFlightCount, orderId, refundedMinor } = order
    if (callbackUrl === null || inFlightCount > 0 || !isCardKind(kind)) return []
    const expected = { ...(kind === "preauth" ? { capture: capturedMinor } : {}), reversal: refundedMinor }
    return Object.entries(expected).flatMap(([type, minor]) => {
      const stated = sums.get(`${orderId} ${type}`) ?? 0n
      return stated === BigInt(minor)
        ? []
        : [`order ${orderId} has ${type} of ${minor}, its callbacks sum to ${stated}`]
    })
  })
}

/** Reports every wrong sum over all committed rows. */
export const all = (committed: ShadowStore): Problems => [
  ...balances(committed),
  ...payable(committed),
  ...callbackAmounts(committed)
]

export const sums: Check = {
  name: "ledger",
  what: "Each movement of the ledger sums to zero. Balances equal the sums of their entries. The available balance is funding minus held and paid amounts. Callbacks sum to the orders' amounts.",
  begin: ({ system: { committed } }) => {
    let violations: Array<string> = []
    committed.observe((changes) => void violations.push(...ofCommit(changes)))
    const total = async () => all(committed)
    return {
      afterStep: async () => {
        const now = violations
        violations = []
        return now
      },
      sums: total,
      atEnd: total
    }
  }
}
