/** Metrics of a store on PostgreSQL. */
import { Metric } from "effect"

const counter = (name: string, description: string) => Metric.counter(name, { description, incremental: true })

export const commits = counter("pay_store_commits_total", "Transactions committed; a batch of decisions is one")
export const decisions = counter("pay_store_decisions_total", "Decisions committed")
export const repeats = counter(
  "pay_store_repeats_total",
  "Batches committed again after a deadlock, a failed serialisation or a lost connection"
)
export const unknown = counter(
  "pay_store_unknown_total",
  "Batches whose outcome could not be read in time; each is resolved before its channel continues"
)
export const reads = counter("pay_store_reads_total", "Statements that read")
export const connects = counter("pay_store_connects_total", "Connections made")
export const failedConnects = counter("pay_store_failed_connects_total", "Connections that could not be made")
