/** Compares what the merchants saw with the bank's own books: nothing may be lost, and nothing may have happened twice. */
import type { BankBooks, Booking, Type } from "./BankBooks.ts"
import { isHold, refundedMinor, type Sale, type Shop } from "./Merchants.ts"

export interface Money {
  readonly payments: number
  /** Payments by the status or the error with which they ended, as their merchants saw it. */
  readonly ends: ReadonlyMap<string, number>
  /** Calls that merchants repeated. */
  readonly repeatedCalls: number
  readonly bookings: number
  /** Each list has the payments, in words. */
  readonly lost: ReadonlyArray<string>
  readonly doubled: ReadonlyArray<string>
  readonly otherProblems: ReadonlyArray<string>
}

/** The sales of a merchant, as it knows them. */
type Books = Pick<Shop, "login" | "sales">

type Moved = ReadonlyMap<Type, number>

/** What the bank has to have moved for an order that its merchant saw end like this, in minor units. */
const expectedOf = ({ amountMinor, error, isFollowedUp, order, purpose }: Sale): Moved => {
  if (order === undefined || error === "Declined") return new Map()
  const first: readonly [Type, number] = [isHold(purpose) ? "reserve" : "purchase", amountMinor]
  if (!isFollowedUp) return new Map([first])
  const next: Readonly<Partial<Record<Sale["purpose"], readonly [Type, number]>>> = {
    refund: ["credit", refundedMinor],
    capture: ["complete", amountMinor],
    void: ["cancel", amountMinor]
  }
  const second = next[purpose]
  return new Map(second === undefined ? [first] : [first, second])
}

const sum = (bookings: ReadonlyArray<Booking>): number =>
  bookings.reduce((total, { amount }) => total + Number(amount), 0)

/** The order at the gateway that a reference of the bank's books names. */
const orderIdOf = ({ id }: Booking): string => id.split("-", 1)[0] ?? ""

const judge = (name: string, sale: Sale, bookings: ReadonlyArray<Booking>) => {
  const booked = bookings.filter(({ state }) => state === "booked")
  const expected = expectedOf(sale)
  const lost: Array<string> = []
  const doubled: Array<string> = []
  for (const type of new Set([...expected.keys(), ...booked.map((each) => each.type)])) {
    const [wanted, moved] = [expected.get(type) ?? 0, sum(booked.filter((each) => each.type === type))]
    const text = `${name}: ${type} of ${moved} at the bank, and ${wanted} as the merchant saw it`
    if (moved > wanted && wanted > 0) doubled.push(text)
    else if (moved !== wanted) lost.push(text)
  }
  const orders = new Set(bookings.map(orderIdOf))
  if (orders.size > 1) doubled.push(`${name}: the bank has bookings of the orders ${[...orders].join(", ")}`)
  const orderId = sale.order?.orderId
  if (orderId !== undefined && booked.length > 0 && !orders.has(orderId))
    lost.push(`${name}: the merchant knows order ${orderId}, and the bank ${[...orders].join(", ")}`)
  return { doubled, lost }
}

/** The statuses and errors with which a payment of each purpose may end. */
const isExpectedEnd = ({ error, isFollowedUp, order, purpose }: Sale): boolean => {
  if (purpose === "decline") return error === "Declined"
  if (purpose === "sale" || purpose === "hold") return order?.status === "approved"
  return isFollowedUp && error === undefined
}

const endOf = ({ error, order }: Sale): string => error ?? order?.status ?? "no end"

/** Callbacks that a merchant has to have got and has not. */
const missingCallback = ({ callbacks, order, purpose }: Sale): boolean =>
  purpose === "decline" ? !callbacks.includes("declined") : order !== undefined && !callbacks.includes("approved")

/** Whether callbacks of some order still have to arrive. */
export const awaitsCallbacks = (shops: ReadonlyArray<Books>): boolean =>
  shops.some(({ sales }) => [...sales.values()].some(missingCallback))

/** Judges the sales of one incident, whose names begin with the incident's. `mayEnd`: errors with which payments may end. */
export const compare = (
  incident: string,
  shops: ReadonlyArray<Books>,
  books: BankBooks,
  mayEnd: ReadonlyArray<string> = []
): Money => {
  const prefix = `${incident}-`
  const byOrder = Map.groupBy(
    [...books.all()].filter(({ shopOrder }) => shopOrder.startsWith(prefix)),
    ({ shop, shopOrder }) => `${shop} ${shopOrder}`
  )
  const ends = new Map<string, number>()
  const lost: Array<string> = []
  const doubled: Array<string> = []
  const otherProblems: Array<string> = [...books.violations]
  const names = new Set<string>()
  let [payments, repeatedCalls] = [0, 0]
  for (const { login, sales } of shops) {
    for (const sale of sales.values()) {
      if (!sale.clientOrderId.startsWith(prefix)) continue
      const name = `${login} ${sale.clientOrderId}`
      const end = endOf(sale)
      const verdict = judge(name, sale, byOrder.get(name) ?? [])
      names.add(name)
      ends.set(end, (ends.get(end) ?? 0) + 1)
      payments += 1
      repeatedCalls += sale.calls - (sale.isFollowedUp ? 2 : 1)
      lost.push(...verdict.lost)
      doubled.push(...verdict.doubled)
      if (!isExpectedEnd(sale) && !mayEnd.includes(end))
        otherProblems.push(`${name} (${sale.purpose}) ended as ${end}: ${sale.reason ?? ""}`)
      if (missingCallback(sale)) otherProblems.push(`${name}: no callback of its end arrived`)
    }
  }
  for (const name of byOrder.keys()) if (!names.has(name)) lost.push(`${name} is at the bank, and no merchant knows it`)
  const bookings = [...byOrder.values()].reduce((count, each) => count + each.length, 0)
  return { bookings, doubled, ends, lost, otherProblems, payments, repeatedCalls }
}
