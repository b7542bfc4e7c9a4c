/** An incident of the drill: what fails, and what an operator must be able to read of it. */
import type { Effect, Scope } from "effect"
import type { Line, Observations } from "./Observations.ts"

/** Something that must be said while an incident lasts. */
export interface Expectation {
  readonly from: "log" | "/readyz" | "/metrics"
  /** What it says, in words of the report. */
  readonly says: string
  /** Returns what was seen of it; undefined if it was not seen. */
  readonly find: (observations: Observations) => string | undefined
}

/** What the list of incidents shows. */
export interface Description {
  readonly name: string
  /** What happens, as one line. */
  readonly happens: string
}

/** An incident on a site of this kind. */
export interface Incident<Site> extends Description {
  readonly expects: ReadonlyArray<Expectation>
  /** Codes of errors with which payments may end besides, if the bank moved nothing. */
  readonly mayEnd?: ReadonlyArray<string>
  /** Lets it happen and heals it. Merchants sell until this completes. */
  readonly run: (site: Site) => Effect.Effect<void, never, Scope.Scope>
}

/** A line of a log whose text matches. */
export const logs = (pattern: RegExp, says: string): Expectation => ({
  ...{ from: "log", says },
  find: ({ lines }) => {
    const matches = [...lines.values()].filter(({ example }) => pattern.test(example))
    const [first] = matches
    return first === undefined ? undefined : `${countOf(matches)} times ${textOf(first)}`
  }
})

/** A line of a log in words: what it says, and why. */
export const textOf = ({ level, message, reason }: Line): string =>
  `${level} "${message}${reason === "" ? "" : `: ${reason.slice(0, longestReason)}`}"`

const longestReason = 80

const countOf = (lines: ReadonlyArray<Line>): number => lines.reduce((total, { count }) => total + count, 0)

/** An answer of `/readyz` at some gateway: a status, or `no answer`. */
export const readiness = (answer: number | "no answer", says: string): Expectation => ({
  ...{ from: "/readyz", says },
  find: ({ readiness }) => {
    const matches = [...readiness].filter(([key]) => key.endsWith(` ${answer}`))
    return matches.length === 0 ? undefined : matches.map(([key, count]) => `${key} ${count} times`).join(", ")
  }
})

/** `/readyz` of every gateway answers 200 all the time. */
export const staysReady: Expectation = {
  ...{ from: "/readyz", says: "stays 200" },
  find: ({ readiness }) =>
    readiness.size > 0 && [...readiness.keys()].every((key) => key.endsWith(" 200")) ? "200 throughout" : undefined
}

/** A metric, whose name and labels match, that reaches a value. */
export const metric = (pattern: RegExp, least: number, says: string): Expectation => ({
  ...{ from: "/metrics", says },
  find: ({ metrics }) => {
    const highest = [...metrics]
      .filter(([name]) => pattern.test(name))
      .toSorted(([, one], [, other]) => other.greatest - one.greatest)[0]
    if (highest === undefined || highest[1].greatest < least) return undefined
    return `${highest[0]} up to ${highest[1].greatest}, and ${highest[1].last} at the end`
  }
})

/** A counter, whose name and labels match, that does not rise. */
export const unchanged = (pattern: RegExp, says: string): Expectation => ({
  ...{ from: "/metrics", says },
  find: ({ metrics }) => {
    const rising = [...metrics].filter(([name, { greatest, least }]) => pattern.test(name) && greatest > least)
    return metrics.size > 0 && rising.length === 0 ? "unchanged" : undefined
  }
})
