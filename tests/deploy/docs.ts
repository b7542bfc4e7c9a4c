/** Generates `deploy/grafana/dashboard.json`: a panel for each metric of the gateway. No test opens it in Grafana. */
import type { Generator } from "../../scripts/GeneratedFiles.ts"
import { read } from "../../scripts/Workspace.ts"

/** The labels by which a metric is split, besides the process. */
const labels: Readonly<Record<string, ReadonlyArray<string>>> = {
  pay_agenda_overdue: ["kind"],
  pay_agenda_overdue_oldest_seconds: ["kind"],
  pay_counterparty_in_flight: ["counterparty"],
  pay_counterparty_oldest_seconds: ["counterparty"],
  pay_counterparty_requests_total: ["counterparty", "outcome"],
  pay_counterparty_seconds: ["counterparty"],
  pay_not_ready: ["why"],
  pay_notifications_total: ["acquirer", "outcome"],
  pay_request_seconds: ["operation"],
  pay_requests_total: ["operation", "status"]
}

const histograms: ReadonlySet<string> = new Set(["pay_counterparty_seconds", "pay_request_seconds"])

/** The list of released names reads this one up to its digits. */
const whole = (name: string): string => (name === "pay_event_loop_stall_p" ? "pay_event_loop_stall_p99_seconds" : name)

const expressionOf = (name: string): string => {
  const by = ["instance", ...(labels[name] ?? [])].join(", ")
  if (histograms.has(name))
    return `histogram_quantile(0.95, sum by (${by}, le) (rate(${name}_bucket[$__rate_interval])))`
  return name.endsWith("_total") ? `sum by (${by}) (rate(${name}[$__rate_interval]))` : `max by (${by}) (${name})`
}

const titleOf = (name: string): string => {
  const words = name
    .replace(/^pay_/, "")
    .replace(/_(?:total|seconds|bytes)$/, "")
    .replaceAll("_", " ")
  if (histograms.has(name)) return `${words}: 95 of 100 within`
  return name.endsWith("_total") ? `${words}, a second` : words
}

const unitOf = (name: string): string =>
  name.endsWith("_seconds") ? "s" : name.endsWith("_bytes") ? "bytes" : name.endsWith("_total") ? "cps" : "short"

const [columns, width, height] = [3, 8, 8]

const panel = (name: string, index: number) => ({
  id: index + 1,
  title: titleOf(name),
  type: "timeseries",
  datasource: { type: "prometheus", uid: `\${datasource}` },
  gridPos: { h: height, w: width, x: width * (index % columns), y: height * Math.floor(index / columns) },
  fieldConfig: { defaults: { unit: unitOf(name), min: 0 }, overrides: [] },
  targets: [{ refId: "A", expr: expressionOf(name), legendFormat: "__auto" }]
})

const dashboard = () => ({
  title: "Gateway for card payments",
  description: "Generated from the list of metrics. No test has opened it in Grafana.",
  uid: "pay-gateway",
  schemaVersion: 39,
  refresh: "30s",
  time: { from: "now-6h", to: "now" },
  templating: { list: [{ name: "datasource", type: "datasource", query: "prometheus" }] },
  panels: read("tests/golden/metrics.txt").trimEnd().split("\n").map(whole).map(panel)
})

const generate: Generator = async () => ({
  "deploy/grafana/dashboard.json": `${JSON.stringify(dashboard(), undefined, 2)}\n`
})
export default generate
