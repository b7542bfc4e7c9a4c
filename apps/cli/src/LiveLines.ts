/**
 * The steps of a flow for whoever watches: on a terminal each has one line that changes in place, with the time since the
 * flow began; elsewhere each outcome is a line of its own.
 */
import * as Output from "./Output.ts"

/** One step. */
export interface StepOutcome {
  readonly step: string
  readonly outcome: string
  /** Milliseconds since 1970; where something was sent. */
  readonly askedAtMs?: number
}

export interface Lines {
  /** A step begins, at this time. */
  readonly begin: (step: string, atMs: number) => void
  readonly tell: (report: StepOutcome, atMs: number) => void
  /** Time goes on. */
  readonly tick: (atMs: number) => void
  /** A line of its own, whole however long: an address must stay one that can be copied. */
  readonly say: (text: string) => void
  /** The line that changes is done; what comes next begins on a new one. */
  readonly end: () => void
}

/** Each outcome printed as a line. */
export const plain = (write: (text: string) => void): Lines => {
  return {
    begin: () => undefined,
    tell: ({ outcome, step }) => write(`${step}: ${outcome}`),
    tick: () => undefined,
    say: write,
    end: () => undefined
  }
}

/** `status 1 17` stands on one line with `status 1 16`. */
export const nameOf = (step: string): string => step.replace(/[ .]\d+(?=[ .]|$)/g, "")

const eraseLine = "\r\u001b[2K"

export const live = ({ columns, write }: Output.Screen): Lines => {
  let line: { readonly name: string; readonly outcome: string } | undefined
  let beganAtMs: number | undefined
  let nowMs = 0

  const draw = () => {
    if (line === undefined) return
    const elapsed = `+${Math.round((nowMs - (beganAtMs ?? nowMs)) / 1000)} s`
    const text = Output.safe(`${elapsed.padStart(7)}  ${line.name.padEnd(16)} ${line.outcome}`)
    // A full line would go on to the next one, where nothing erases it, as would the ^C that a terminal adds.
    const most = columns() - 3
    write(`${eraseLine}${text.length > most ? `${text.slice(0, most - 1)}…` : text}`)
  }
  const end = () => {
    if (line !== undefined) write("\n")
    line = undefined
  }
  const show = (step: string, outcome: string | undefined) => {
    const name = nameOf(step)
    if (line?.name !== name) end()
    line = { name, outcome: outcome ?? line?.outcome ?? "…" }
    draw()
  }
  const at = (atMs: number) => {
    nowMs = atMs
    beganAtMs ??= atMs
  }
  return {
    begin: (step, atMs) => {
      at(atMs)
      show(step, undefined)
    },
    tell: ({ outcome, step }, atMs) => {
      at(atMs)
      show(step, outcome)
    },
    tick: (atMs) => {
      at(atMs)
      draw()
    },
    say: (text) => {
      write(`${eraseLine}${Output.safe(text)}\n`)
      draw()
    },
    end
  }
}

/** Returns lines that conceal what must not be shown. */
export const concealing = (lines: Lines, conceal: (text: string) => string): Lines => ({
  ...lines,
  tell: ({ outcome, ...report }, atMs) => lines.tell({ ...report, outcome: conceal(outcome) }, atMs),
  say: (text) => lines.say(conceal(text))
})
