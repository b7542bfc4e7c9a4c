/**
 * Records the bookings of bank and rail that a restored copy lacks. Orders are refused until the whole period is listed, by the
 * gateway itself or by a list that an operator imports.
 */
import { Clock, Effect, Option } from "effect"
import * as Change from "../kernel/Change.ts"
import * as Decision from "../kernel/Decision.ts"
import { Store } from "../kernel/Store.ts"
import { Directory } from "../merchants/Directory.ts"
import * as Acquirers from "../orders/bank/Acquirers.ts"
import * as Booking from "../orders/record/Booking.ts"
import { Order } from "../orders/record/Order.ts"
import { isOwn, OrderRequest } from "../orders/record/OrderRequest.ts"
import { PayoutRail } from "../payouts/PayoutRail.ts"
import * as Adoption from "./Adoption.ts"
import { BankBooking, isOpen } from "./BankBooking.ts"
import { Enumeration, Restoration } from "./Restoration.ts"

const mostPerOrder = 100_000

export interface RecordedBookings {
  readonly writes: ReadonlyArray<Decision.Write>
  /** Number of bookings that the store lacks. */
  readonly missing: number
}

type StoreService = Store["Service"]

interface TimedList extends Adoption.List {
  readonly longestProcessingMs: number
}

/**
 * The lists of this process, with the longest processing time of each. Operators' pages also exist without acquirers; then a restored
 * copy waits for the list of the only one.
 */
const allLists = Effect.gen(function* () {
  const acquirers = yield* Acquirers.all
  const rail = Option.getOrUndefined(yield* Effect.serviceOption(PayoutRail))
  const banks = [...acquirers].map(
    ([
      acquirer,
      {
        capabilities: { longestProcessingMs }
      }
    ]): TimedList => ({
      source: "bank",
      acquirer,
      longestProcessingMs
    })
  )
  const only: TimedList = { ...Adoption.lists.bank, longestProcessingMs: 0 }
  return [
    ...(banks.length === 0 ? [only] : banks),
    ...(rail === undefined
      ? []
      : [{ ...Adoption.lists.rail, longestProcessingMs: rail.capabilities.longestProcessingMs }])
  ]
})

/** Returns the login of the only merchant, or "" if there are several, because the merchant of a booking is then uncertain. */
const onlyMerchant = Effect.map(Effect.serviceOption(Directory), (directory) => {
  const { merchants } = Option.getOrElse(directory, () => ({ merchants: () => [] }))
  return (): string => {
    const [one, ...others] = merchants()
    return one === undefined || others.length > 0 ? "" : one.login
  }
})

/** Returns the order of a booking, and its requests that were sent under the booking's reference. */
const ownOf = Effect.fnUntraced(function* (store: StoreService, text: string) {
  const reference = Booking.parse(text)
  const order = reference === undefined ? undefined : yield* store.load(Order, [reference.orderId])
  if (reference === undefined || order === undefined) return { reference, order: undefined, requests: [] }
  const requests = yield* store.find(OrderRequest, "order", { equals: [order.orderId], limit: mostPerOrder })
  return { reference, order, requests: requests.filter((request) => isOwn(reference, request)) }
})

/** Whether the booking is not of the acquirer of the order or of the same booking. */
const isOfAnother = (row: BankBooking, owner: Pick<Order, "acquirer"> | undefined): boolean =>
  row.source === "bank" && owner !== undefined && owner.acquirer !== row.acquirer

/** Returns the writes that record bookings of a list. `merchantId`: the merchant of a booking that names none. */
const recorded = Effect.fnUntraced(function* (
  store: StoreService,
  list: Adoption.List,
  bookings: ReadonlyArray<Booking.Booking>,
  merchantId: string
) {
  const nowMs = yield* Clock.currentTimeMillis
  const writes: Array<Decision.Write> = []
  let missing = 0
  for (const booking of bookings) {
    const { order, reference, requests } = yield* ownOf(store, booking.reference)
    const row = Adoption.rowOf(list, booking, merchantId, nowMs)
    const existing = yield* store.load(BankBooking, [list.source, booking.reference])
    if (isOfAnother(row, order) || (existing !== undefined && isOfAnother(row, existing))) {
      yield* Effect.logError("A list has a booking with the reference of another acquirer's payment").pipe(
        Effect.annotateLogs({ ...list, reference: booking.reference })
      )
      continue
    }
    if (requests.length > 0) {
      // The row marks a request that is not finished: it exists, whatever an inquiry says.
      const isUnfinished = requests.some(({ finishedAtMs }) => finishedAtMs === null)
      if (isUnfinished && existing === undefined) writes.push(Decision.put(BankBooking, { ...row, state: "adopted" }))
      continue
    }
    missing += 1
    if (order !== undefined && reference !== undefined && Adoption.isFollowUp(reference))
      writes.push(...Adoption.registering(order.orderId, nowMs))
    if (existing === undefined) writes.push(Decision.put(BankBooking, row))
    else if (isOpen(existing))
      writes.push(
        Decision.put(
          BankBooking,
          Change.next({ ...row, version: existing.version }, { merchantId: row.merchantId || existing.merchantId })
        )
      )
  }
  return { writes, missing } satisfies RecordedBookings
})

const isSame = (one: Adoption.List, other: Adoption.List): boolean =>
  one.source === other.source && one.acquirer === other.acquirer

const reportCompleted = ({ acquirer, bookings, missing, source }: Enumeration, by: string, isLast: boolean) =>
  Effect.logInfo(
    isLast
      ? "All bookings since the copy's last commit are known: orders are taken again"
      : "The bookings of one source since the copy's last commit are known"
  ).pipe(Effect.annotateLogs({ source, acquirer, bookings, missing, by }))

export const make = Effect.gen(function* () {
  const store = yield* Store
  const lists = yield* allLists
  const merchantId = yield* onlyMerchant

  /** The restoration whose bookings are not completely listed. `undefined`: orders are taken. */
  const pending = Effect.gen(function* () {
    const restoration = yield* store.load(Restoration, ["latest"])
    return restoration === undefined || restoration.enumeratedAtMs !== null ? undefined : restoration
  })

  /** Returns how far each source is enumerated for this restoration. */
  const enumerations = Effect.fnUntraced(function* (restoration: Restoration) {
    const startedAtMs = restoration.startedAtMs ?? (yield* Clock.currentTimeMillis)
    return yield* Effect.forEach(lists, ({ longestProcessingMs, ...list }) =>
      Effect.map(store.load(Enumeration, [list.source, list.acquirer]), (enumeration) =>
        enumeration?.restoredAtMs === restoration.restoredAtMs
          ? enumeration
          : Adoption.begin(
              list,
              restoration.restoredAtMs,
              Adoption.periodOf(restoration, startedAtMs, longestProcessingMs)
            )
      )
    )
  })

  /**
   * Whether the store contains the request of the booking. The result may change later: the gateway itself detects attempts on a
   * page that was open at the time of the copy.
   */
  const isKnown = (text: string) => Effect.map(ownOf(store, text), ({ requests }) => requests.length > 0)

  const record = (list: Adoption.List, bookings: ReadonlyArray<Booking.Booking>) =>
    recorded(store, list, bookings, merchantId())

  /** Guards that this is still the restoration, and that no source was completed since it was loaded. */
  const unchanged = (restoration: Restoration) => Change.unchanged(Restoration, restoration)

  /** Takes orders again if all sources are completely listed, for example because the configuration has a source less than before. */
  const finish = Effect.fnUntraced(function* (restoration: Restoration) {
    const all = yield* enumerations(restoration)
    if (all.some(({ completedAtMs }) => completedAtMs === null)) return restoration
    const enumeratedAtMs = yield* Clock.currentTimeMillis
    yield* store.commit(Change.update(Restoration, restoration, { enumeratedAtMs }))
    return undefined
  })

  /**
   * Marks the bookings of a source as completely listed. With the last source, orders are taken again. Returns the restoration if it is
   * still pending.
   */
  const complete = Effect.fnUntraced(function* (
    restoration: Restoration,
    row: Enumeration,
    completedBy: string,
    beside: Change.Change
  ) {
    const others = (yield* enumerations(restoration)).filter((each) => !isSame(each, row))
    const isLast = others.every(({ completedAtMs }) => completedAtMs !== null)
    const nowMs = yield* Clock.currentTimeMillis
    const enumeratedAtMs = isLast ? nowMs : restoration.enumeratedAtMs
    yield* store.commit(
      Change.all(
        Change.update(Restoration, restoration, { enumeratedAtMs }),
        Change.writing(Decision.put(Enumeration, { ...row, after: null, completedAtMs: nowMs, completedBy })),
        beside
      )
    )
    yield* reportCompleted(row, completedBy, isLast)
    return isLast ? undefined : Change.next(restoration)
  })

  return { pending, enumerations, isKnown, record, unchanged, complete, finish }
})
