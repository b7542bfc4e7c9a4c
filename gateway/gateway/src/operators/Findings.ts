/** Judges from figures what is wrong now, and whether it is the gateway, the bank's side, or one merchant. */
import type { Finding } from "./contract/Now.ts"

interface Minute {
  readonly answered: number
  readonly failed: number
}

export interface Figures {
  readonly nowMs: number
  /** Why the gateway takes no new orders. */
  readonly notReady: string | undefined
  readonly overdue: ReadonlyArray<{ readonly kind: string; readonly count: number; readonly oldest: number }>
  readonly counterparties: ReadonlyArray<{
    readonly name: string
    readonly host: string
    readonly oldestSeconds: number
    readonly minutes: ReadonlyArray<Minute>
  }>
  readonly merchants: ReadonlyArray<{
    readonly merchant: string
    readonly requests: number
    readonly refused: number
    readonly broken: number
  }>
}

/** The limits at which docs/operators/monitoring.md has somebody woken. */
const urgentKinds: ReadonlySet<string> = new Set(["bank", "rail"])
const overdueMs = (kind: string): number => (urgentKinds.has(kind) ? 60_000 : 300_000)

const recentMinutes = 10
const fewestFailures = 3
const failingShare = 0.2
const silentSeconds = 30
const fewestRequests = 10
const refusedShare = 0.5

const ofGateway = ({ merchants, notReady, nowMs, overdue }: Figures): ReadonlyArray<Finding> => {
  const broken = merchants.reduce((sum, each) => sum + each.broken, 0)
  const all = merchants.reduce((sum, each) => sum + each.requests, 0)
  return [
    ...(notReady === undefined
      ? []
      : [{ who: "gateway", subject: notReady, problem: "not-ready", detail: "" } as const]),
    ...overdue
      .filter(({ kind, oldest }) => nowMs - oldest > overdueMs(kind))
      .map(({ count, kind, oldest }) => ({
        who: "gateway" as const,
        subject: kind,
        problem: "overdue" as const,
        detail: `${count}, ${Math.round((nowMs - oldest) / 1000)} s`
      })),
    ...(broken === 0
      ? []
      : [{ who: "gateway", subject: "5xx", problem: "broken", detail: `${broken}/${all} in 60 min` } as const])
  ]
}

const ofCounterparties = ({ counterparties }: Figures): ReadonlyArray<Finding> =>
  counterparties.flatMap(({ host, minutes, name, oldestSeconds }): ReadonlyArray<Finding> => {
    const recent = minutes.slice(-recentMinutes)
    const failed = recent.reduce((sum, minute) => sum + minute.failed, 0)
    const all = recent.reduce((sum, minute) => sum + minute.answered, failed)
    const about =
      host === "" ? ({ who: "bank", subject: name } as const) : ({ who: "merchant", subject: host } as const)
    return [
      ...(failed >= fewestFailures && failed >= failingShare * all
        ? [{ ...about, problem: "failing", detail: `${failed}/${all} in ${recentMinutes} min` } as const]
        : []),
      ...(oldestSeconds > silentSeconds
        ? [{ ...about, problem: "silent", detail: `${Math.round(oldestSeconds)} s` } as const]
        : [])
    ]
  })

const ofMerchants = ({ merchants }: Figures): ReadonlyArray<Finding> =>
  merchants
    .filter(({ refused, requests }) => requests >= fewestRequests && refused >= refusedShare * requests)
    .map(({ merchant, refused, requests }) => ({
      who: "merchant",
      subject: merchant,
      problem: "refused",
      detail: `${refused}/${requests} in 60 min`
    }))

export const of = (figures: Figures): ReadonlyArray<Finding> => [
  ...ofGateway(figures),
  ...ofCounterparties(figures),
  ...ofMerchants(figures)
]
