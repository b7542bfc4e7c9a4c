/**
 * A second opinion on recurring payments, which shares no code with the gateway: a calendar by UTC arithmetic and `Intl`, and
 * the rules of docs/merchants/subscriptions.md, applied moment by moment to one card, one schedule and a bank that answers from a list.
 */
const dayMs = 86_400_000

export interface Terms {
  readonly period: "daily" | "weekly" | "monthly" | "yearly"
  readonly interval: number
  /** Days as `YYYY-MM-DD`. */
  readonly first: string
  readonly finish: string | undefined
  readonly occurrences: number | undefined
  readonly zone: string
}

/** `expiresMs`: 14 hours after its last month ended in UTC. */
export interface Card {
  readonly lastFour: string
  readonly expiresMs: number
}

export type Verdict = "approve" | "soft" | "hard" | "unknown"
export type KnownVerdict = Exclude<Verdict, "unknown">

const iso = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** The day of occurrence n, before any end. */
export const dayOf = ({ first, interval, period }: Terms, n: number): string => {
  const [year = 0, month = 0, day = 0] = first.split("-").map(Number)
  if (period === "daily" || period === "weekly") {
    return iso(Date.UTC(year, month - 1, day + n * interval * (period === "weekly" ? 7 : 1)))
  }
  const months = month - 1 + n * interval * (period === "yearly" ? 12 : 1)
  const lastDay = new Date(Date.UTC(year, months + 1, 0)).getUTCDate()
  return iso(Date.UTC(year, months, Math.min(day, lastDay)))
}

const formats = new Map<string, Intl.DateTimeFormat>()
const localDay = (ms: number, timeZone: string): string => {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" })
  formats.set(timeZone, format)
  return format.format(ms)
}

/** The first moment at which clocks in the zone show that day, found by looking at the clocks. */
export const beginsMs = (day: string, zone: string): number => {
  let before = Date.parse(`${day}T00:00:00Z`) - 2 * dayMs
  let from = before + 4 * dayMs
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2)
    if (localDay(middle, zone) < day) before = middle
    else from = middle
  }
  return from
}

export const today = localDay
const nextDay = (day: string): string => iso(Date.parse(`${day}T00:00:00Z`) + dayMs)

interface Pending {
  readonly n: number
  readonly firstMs: number
  readonly tries: number
  /** Undefined: not tried again. */
  readonly retryMs: number | undefined
  /** The bank has not said yet. */
  readonly isUnknown: boolean
}

const words = {
  paused: "The recurring payment is paused",
  suspended: "The recurring payment is suspended",
  beforePause: "It had not been charged when the recurring payment was paused",
  missed: "Missed while the gateway was not running",
  awaited: "The outcome of the charge before it was not known yet",
  over: "It could not be charged before the schedule was over",
  expired: "Expired card"
}

export class Model {
  nowMs: number
  state: "active" | "paused" | "suspended" | "finished" = "active"
  pending: Pending | undefined
  /** `day progress tries` or `day skipped: reason`, by number. */
  readonly records = new Map<number, string>()
  /** What the bank has booked: `n try card moment`. */
  readonly charges: Array<string> = []
  readonly #terms: Terms
  readonly #verdicts: Array<Verdict>
  #card: Card
  #wasPaused = false
  /** Until when an outcome was awaited. */
  #awaitedMs = Number.NEGATIVE_INFINITY

  constructor(terms: Terms, card: Card, verdicts: ReadonlyArray<Verdict>, nowMs: number) {
    this.#terms = terms
    this.#card = card
    this.#verdicts = [...verdicts]
    this.nowMs = nowMs
  }

  /** The first charge was made at once, when the payment was created. */
  began(): void {
    this.charges.push(`0 0 ${this.#card.lastFour} ${new Date(this.nowMs).toISOString()}`)
    this.records.set(0, `${this.#terms.first} charged 1`)
    this.#end()
  }

  #dueMs(n: number): number | undefined {
    const { finish, occurrences, zone } = this.#terms
    const day = dayOf(this.#terms, n)
    if ((occurrences !== undefined && n >= occurrences) || (finish !== undefined && day > finish)) return undefined
    return beginsMs(day, zone)
  }

  get #overMs(): number {
    const { finish, zone } = this.#terms
    return finish === undefined ? Number.POSITIVE_INFINITY : beginsMs(nextDay(finish), zone)
  }

  /** The first occurrence that nothing has become of. */
  get #open(): number {
    let n = 0
    while (this.records.has(n) || this.pending?.n === n) n += 1
    return n
  }

  /** The open ones that are due. */
  get #due(): ReadonlyArray<number> {
    const due: Array<number> = []
    for (let n = this.#open; (this.#dueMs(n) ?? Number.POSITIVE_INFINITY) <= this.nowMs; n += 1) due.push(n)
    return due
  }

  #skip(ns: ReadonlyArray<number>, reason: (dueMs: number) => string): void {
    for (const n of ns) this.records.set(n, `${dayOf(this.#terms, n)} skipped: ${reason(this.#dueMs(n) ?? 0)}`)
  }

  #end(): void {
    if (this.pending === undefined && this.#dueMs(this.#open) === undefined) this.state = "finished"
  }

  #suspend(): void {
    this.#wasPaused = this.state === "paused"
    this.state = "suspended"
  }

  #fail({ n, tries }: Pending, suspends: boolean): void {
    this.records.set(n, `${dayOf(this.#terms, n)} failed ${tries}`)
    this.pending = undefined
    if (suspends) this.#suspend()
    this.#end()
  }

  #triedUntilMs(n: number): number {
    return Math.min(this.#dueMs(n + 1) ?? Number.POSITIVE_INFINITY, this.#overMs)
  }

  #charge(pending: Pending): void {
    const { n, tries } = pending
    this.charges.push(`${n} ${tries - 1} ${this.#card.lastFour} ${new Date(this.nowMs).toISOString()}`)
    const verdict = this.#verdicts.shift() ?? "approve"
    this.pending = { ...pending, isUnknown: verdict === "unknown" }
    if (verdict !== "unknown") this.#outcome(this.pending, verdict)
  }

  #outcome(pending: Pending, verdict: KnownVerdict): void {
    const { firstMs, n, tries } = pending
    if (verdict === "approve") {
      this.records.set(n, `${dayOf(this.#terms, n)} charged ${tries}`)
      this.pending = undefined
      this.#awaitedMs = this.nowMs
      this.#end()
      return
    }
    const retryMs = [1, 3, 5].map((days) => firstMs + days * dayMs).find((ms) => ms > this.nowMs)
    if (verdict === "soft" && this.state === "active" && retryMs !== undefined && retryMs < this.#triedUntilMs(n)) {
      this.pending = { ...pending, retryMs, isUnknown: false }
    } else this.#fail(pending, true)
  }

  /** Everything that a running gateway does now. */
  #turn(): void {
    while (this.state !== "finished" && this.pending?.isUnknown !== true) {
      const { pending } = this
      if (pending !== undefined) {
        if (pending.retryMs === undefined || this.state !== "active") this.#fail(pending, false)
        else if (this.nowMs < pending.retryMs) return
        else if (this.nowMs >= this.#triedUntilMs(pending.n) || this.nowMs >= this.#card.expiresMs)
          this.#fail(pending, true)
        else this.#charge({ ...pending, tries: pending.tries + 1 })
        continue
      }
      const due = this.#due
      const latest = due.at(-1)
      if (latest === undefined) {
        this.#end()
        return
      }
      if (this.state !== "active") {
        const isPaused = this.state === "paused"
        this.#skip(due, () => (isPaused ? words.paused : words.suspended))
        continue
      }
      this.#skip(due.slice(0, -1), (dueMs) => (dueMs < this.#awaitedMs ? words.awaited : words.missed))
      if (this.nowMs >= this.#overMs)
        this.#skip([latest], (dueMs) => (dueMs < this.#awaitedMs ? words.awaited : words.over))
      else if (this.nowMs >= this.#card.expiresMs) {
        this.#skip([latest], () => words.expired)
        this.#suspend()
      } else this.#charge({ n: latest, firstMs: this.nowMs, tries: 1, retryMs: undefined, isUnknown: false })
    }
  }

  /** When something is next to be done. */
  get #nextMs(): number {
    if (this.state === "finished" || this.pending?.isUnknown === true) return Number.POSITIVE_INFINITY
    return this.pending === undefined ? (this.#dueMs(this.#open) ?? this.nowMs) : (this.pending.retryMs ?? this.nowMs)
  }

  /** The gateway runs until then, what was late first. */
  run(untilMs: number): void {
    this.#turn()
    while (this.#nextMs <= untilMs) {
      this.nowMs = Math.max(this.nowMs, this.#nextMs)
      this.#turn()
    }
    this.nowMs = untilMs
  }

  /** The gateway learns what became of the charge that was unknown. */
  learn(atMs: number, verdict: KnownVerdict): void {
    this.nowMs = Math.max(this.nowMs, atMs)
    if (this.pending?.isUnknown === true) this.#outcome(this.pending, verdict)
  }

  /** Charges that wait for another try. They do not affect what is open. */
  #giveUpTries(): void {
    const { pending } = this
    if (pending !== undefined && !pending.isUnknown) this.pending = { ...pending, retryMs: undefined }
  }

  pause(): void {
    if (this.state !== "active") return
    this.#skip(this.#due, () => words.beforePause)
    this.#giveUpTries()
    this.state = "paused"
  }

  resume(): void {
    if (this.state !== "paused") return
    this.#skip(this.#due, () => words.paused)
    this.state = "active"
  }

  change(card: Card): void {
    const { pending, state } = this
    const before = this.#card
    if (state === "finished") return
    this.#card = card
    if (state === "paused") {
      this.#skip(this.#due, () => words.paused)
      return
    }
    if (state === "suspended") {
      this.#skip(this.#due, () => words.suspended)
      this.state = this.#wasPaused ? "paused" : "active"
      this.#wasPaused = false
      return
    }
    if (pending !== undefined) {
      if (pending.isUnknown || this.nowMs < this.#triedUntilMs(pending.n)) return
      this.#skip(this.#due, () => words.suspended)
      this.#giveUpTries()
      return
    }
    const latest = this.#due.at(-1)
    if (latest === undefined || (this.#dueMs(latest) ?? 0) < before.expiresMs) return
    this.#skip(this.#due, (dueMs) => (dueMs < before.expiresMs ? words.missed : words.expired))
  }
}
