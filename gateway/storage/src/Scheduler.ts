/** Leases of jobs in SQL: checks a lease, and claims due jobs. */
import { Job } from "@pay/gateway/Entities"
import { type Claim, FairQueue, StoreRow } from "@pay/gateway/Store"
import type { Statements } from "@pay/sqlite/Database"
import { list, quote } from "./Ddl.ts"

const scheduler = quote(Job.name)
const columns = list(Object.keys(Job.columns))

const context = `SELECT 1 FROM ${scheduler} WHERE "jobId" = ? AND "token" IS ?`

const free = '"dueAtMs" <= ?2 AND "leaseUntilMs" <= ?2 ORDER BY "dueAtMs", "jobId" LIMIT ?3'

/** Parameters: kind, now, limit. */
export const dueText = `SELECT ${columns} FROM ${scheduler} WHERE "kind" = ?1 AND ${free}`

/** Parameters: kind, now, limit, merchant, offset. */
export const merchantText = `SELECT ${columns} FROM ${scheduler} WHERE "kind" = ?1 AND "merchantId" = ?4 AND ${free} OFFSET ?5`

/** Selects the first merchant with jobs of a kind, and the merchant after another. */
export const firstText = `SELECT "merchantId" FROM ${scheduler} WHERE "kind" = ? ORDER BY "merchantId" LIMIT 1`
export const nextText = `SELECT "merchantId" FROM ${scheduler} WHERE "kind" = ? AND "merchantId" > ? ORDER BY "merchantId" LIMIT 1`

const take = `UPDATE ${scheduler} SET "token" = ?, "leaseUntilMs" = ?, "openAttempts" = ?, "startedAtMs" = ? WHERE "jobId" = ?`

export const isHeld = (statements: Statements, jobId: string, token: string | null): boolean =>
  statements.prepare(context).get(jobId, token) !== undefined

/** Returns the merchants with jobs of the kind, with one read of the index for each. */
const merchantsOf = (statements: Statements, kind: Job["kind"]): ReadonlyArray<string> => {
  const merchants: Array<string> = []
  for (let row = statements.prepare(firstText).get(kind); row !== undefined; ) {
    const merchant = String(row.merchantId)
    merchants.push(merchant)
    row = statements.prepare(nextText).get(kind, merchant)
  }
  return merchants
}

/** Returns due jobs by turns of the merchants, in rounds over all merchants that may have more, until the limit is reached. */
const inTurns = (
  statements: Statements,
  { each = Number.POSITIVE_INFINITY, except = [], kind, limit, nowMs }: Claim
): ReadonlyArray<Job> => {
  let merchants = merchantsOf(statements, kind).filter((merchant) => !except.includes(merchant))
  const claimed: Array<Job> = []
  for (let passed = 0; claimed.length < limit && merchants.length > 0 && passed < each; ) {
    const size = Math.min(Math.ceil(limit / merchants.length), each - passed)
    merchants = merchants.filter((merchant) => {
      const rows = statements.prepare(merchantText).all(kind, nowMs, size, merchant, passed)
      claimed.push(...rows.map((row) => StoreRow.typed(Job, row)))
      return rows.length === size
    })
    passed += size
  }
  return FairQueue.byTurns(claimed).slice(0, limit)
}

const dueOf = (statements: Statements, claim: Claim): ReadonlyArray<Job> => {
  const { each, except, kind, limit, nowMs } = claim
  const due = statements.prepare(dueText).all(kind, nowMs, limit + 1)
  if (due.length === 0) return []
  return due.length <= limit && each === undefined && except === undefined
    ? FairQueue.byTurns(due.map((row) => StoreRow.typed(Job, row)))
    : inTurns(statements, claim)
}

export const claimDue = (statements: Statements, claim: Claim): ReadonlyArray<Job> => {
  const { leaseMs, nowMs, token } = claim
  return dueOf(statements, claim).map((due) => {
    const job: Job = {
      ...due,
      token,
      leaseUntilMs: nowMs + leaseMs,
      openAttempts: due.openAttempts + 1,
      startedAtMs: due.startedAtMs ?? nowMs
    }
    const { jobId, leaseUntilMs, openAttempts, startedAtMs } = job
    statements.prepare(take).run(token, leaseUntilMs, openAttempts, startedAtMs, jobId)
    return job
  })
}
