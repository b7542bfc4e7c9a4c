/** Prints the progress of a move: one changing line on a terminal, elsewhere a line for each tenth. */
import type { Progress } from "@pay/storage/Move"
import * as Output from "../terminal/Output.ts"

type Phase = Progress["phase"]

const words: Readonly<Record<Phase, string>> = {
  marking: "marking both sides",
  copying: "copying",
  indexing: "making the indexes of",
  comparing: "comparing",
  books: "recomputing",
  finishing: "finishing"
}

const digits = new Intl.NumberFormat("en-US")

const percentOf = ({ of, rows }: Progress): number => (of === 0 ? 0 : Math.floor((100 * rows) / of))

const lineOf = (progress: Progress, rowsPerSecond: number): string => {
  const { of, phase, rows, table } = progress
  const head = [words[phase], table].filter((word) => word !== "").join(" ")
  if (phase === "books") return `${head}: ${digits.format(rows)}`
  if (phase === "indexing") return `${head}: ${rows} of ${of} tables`
  if (of === 0) return head
  const rate = rowsPerSecond > 0 ? `, ${digits.format(rowsPerSecond)} rows/s` : ""
  return `${head}: ${digits.format(rows)} of ${digits.format(of)} rows (${percentOf(progress)} %)${rate}`
}

/** Measures the rate from the first report of a phase, because an earlier run may have moved rows before. */
const measuring = () => {
  let first: { readonly phase: Phase; readonly rows: number; readonly atMs: number } | undefined
  return ({ phase, rows }: Progress, nowMs: number): number => {
    if (first?.phase !== phase) first = { phase, rows, atMs: nowMs }
    const ms = nowMs - first.atMs
    return ms < 1000 ? 0 : Math.round(((rows - first.rows) * 1000) / ms)
  }
}

export interface ProgressLines {
  readonly report: (progress: Progress, nowMs: number) => void
  /** Ends the changing line. Later output begins on a new line. */
  readonly end: () => void
}

const eraseLine = "\r\u001b[2K"
const redrawMs = 100

export const live = ({ columns, write }: Output.Screen): ProgressLines => {
  const rateOf = measuring()
  let drawn: { readonly phase: Phase; readonly table: string; readonly atMs: number } | undefined
  return {
    report: (progress, nowMs) => {
      const rate = rateOf(progress, nowMs)
      const { phase, table } = progress
      if (drawn?.phase === phase && drawn.table === table && nowMs - drawn.atMs < redrawMs) return
      drawn = { phase, table, atMs: nowMs }
      write(`${eraseLine}${Output.safe(lineOf(progress, rate)).slice(0, columns() - 1)}`)
    },
    end: () => {
      if (drawn !== undefined) write(eraseLine)
      drawn = undefined
    }
  }
}

export const plain = (write: (line: string) => void): ProgressLines => {
  const rateOf = measuring()
  let last = ""
  return {
    report: (progress, nowMs) => {
      const rate = rateOf(progress, nowMs)
      const { phase } = progress
      const isCounted = phase === "copying" || phase === "comparing"
      const step = `${words[phase]} ${isCounted ? Math.floor(percentOf(progress) / 10) : ""}`
      if (step === last) return
      last = step
      write(lineOf(progress, rate))
    },
    end: () => undefined
  }
}
