/**
 * Displays the steps of a flow. On a terminal, each step has one line that changes in place, with the time since the flow
 * started; elsewhere, each outcome is a separate line.
 */
import * as Output from "./Output.ts"

/** The outcome of one step. */
export interface StepOutcome {
  readonly step: string
  readonly outcome: string
  /** Time of the request in milliseconds since 1970, if the step sent one. */
  readonly requestedAtMs?: number
}

export interface Lines {
  /** Displays that a step begins at this time. */
  readonly begin: (step: string, atMs: number) => void
  readonly tell: (report: StepOutcome, atMs: number) => void
  /** Updates the displayed time. */
  readonly tick: (atMs: number) => void
  /** Writes a separate line, which is never shortened, so that an address can be copied. */
  readonly say: (text: string) => void
  /** Ends the changing line. Later output begins on a new line. */
  readonly end: () => void
}

/** Returns lines that print each outcome as a separate line. */
export const plain = (write: (text: string) => void): Lines => {
  return {
    begin: () => undefined,
    tell: ({ outcome, step }) => write(`${step}: ${outcome}`),
    tick: () => undefined,
    say: write,
    end: () => undefined
  }
}

/** Returns the displayed name of a step, without its numbers: `status 1 17` uses the same line as `status 1 16`. */
const nameOf = (step: string): string => step.replace(/[ .]\d+(?=[ .]|$)/g, "")

const eraseLine = "\r\u001b[2K"

export const live = ({ columns, write }: Output.Screen): Lines => {
  let line: { readonly name: string; readonly outcome: string } | undefined
  let beganAtMs: number | undefined
  let nowMs = 0

  const draw = () => {
    if (line === undefined) return
    const elapsed = `+${Math.round((nowMs - (beganAtMs ?? nowMs)) / 1000)} s`
    const text = Output.safe(`${elapsed.padStart(7)}  ${line.name.padEnd(16)} ${line.outcome}`)
    // The line must be shorter than the terminal is wide: a part on a second line could not be erased. The ^C that a terminal
    // prints needs space, too.
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

/** Returns lines that replace secret parts of outcomes and texts by `conceal`. */
export const concealing = (lines: Lines, conceal: (text: string) => string): Lines => ({
  ...lines,
  tell: ({ outcome, ...report }, atMs) => lines.tell({ ...report, outcome: conceal(outcome) }, atMs),
  say: (text) => lines.say(conceal(text))
})
