/**
 * The series of a metric, each made once: Effect composes the key of a metric with attributes anew at each update of a metric that
 * was just made. Values of the attributes come from configuration and contract, or are limited by the caller, because no series ends.
 */
import { Metric } from "effect"

let uses = 0

/** How often a series was asked for in this process: as long as it is the same, none was updated. */
export const used = (): number => uses

/** Returns the series of `metric` with these values of its attributes, in the order of `names`; an empty value is left out. */
export const make = <Input, State>(
  metric: Metric.Metric<Input, State>,
  ...names: ReadonlyArray<string>
): ((...values: ReadonlyArray<string>) => Metric.Metric<Input, State>) => {
  const all = new Map<string, Metric.Metric<Input, State>>()
  return (...values) => {
    uses += 1
    const key = values.join("\n")
    const made = all.get(key)
    if (made !== undefined) return made
    const attributes = names.map((name, index) => [name, values[index] ?? ""] as const)
    const series = Metric.withAttributes(metric, Object.fromEntries(attributes.filter(([, value]) => value !== "")))
    all.set(key, series)
    return series
  }
}
