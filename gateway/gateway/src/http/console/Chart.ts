/**
 * A bar for each minute of the last hour, as SVG that the server writes: answered requests below, failed ones above. The figures are in the
 * table behind it. The policy of the pages permits no style in markup, so colours are classes.
 */
import { DateTime } from "effect"
import { type Html, html } from "../../kernel/Html.ts"

export interface Minute {
  readonly at: number
  readonly answered: number
  readonly failed: number
}

const width = 240
const height = 40
const most = 60

const clock = (ms: number): string => DateTime.formatIso(DateTime.makeUnsafe(ms)).slice(11, 16)

/** `label`: what the chart shows, for people who do not see it. */
export const bars = (label: string, minutes: ReadonlyArray<Minute>): Html => {
  const shown = minutes.slice(-most)
  const largest = Math.max(1, ...shown.map(({ answered, failed }) => answered + failed))
  const step = width / most
  const scaled = (count: number) => Math.round((count / largest) * height * 10) / 10
  return html`<svg class="chart" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${label}"><line class="axis" x1="0" y1="${height}" x2="${width}" y2="${height}"/>${shown.map(
    ({ answered, failed }, index) => {
      const x = width - (shown.length - index) * step
      const [low, high] = [scaled(answered), scaled(failed)]
      return html`<rect class="answered" x="${x}" y="${height - low}" width="${step - 1}" height="${low}"/><rect class="failed" x="${x}" y="${height - low - high}" width="${step - 1}" height="${high}"/>`
    }
  )}</svg>`
}

/** The minutes that have any request, the latest first: time, answered, failed. */
export const rows = (minutes: ReadonlyArray<Minute>): ReadonlyArray<readonly [string, number, number]> =>
  minutes
    .filter(({ answered, failed }) => answered + failed > 0)
    .map(({ answered, at, failed }) => [clock(at), answered, failed] as const)
    .reverse()
