/** One check as a value: its clause, the capabilities that it requires of the gateway, and the program that tests the gateway. */
import type { Effect } from "effect"
import * as Capability from "./Capability.ts"
import type { Gateway } from "./Gateway.ts"
import type { Lacking, Violation } from "./Violation.ts"

/** A heading of the specification, or of the assumptions, which fill the specification's gaps. */
export type Clause = `docs/${"specification" | "assumptions"}.md#${string}`

/** The program of a check. It succeeds if the gateway conforms. */
export type Program = Effect.Effect<void, Violation | Lacking, Gateway>

/** One check of the suite. */
export interface Check {
  /** Unique: group, operation or subject, and what is checked, with slashes. */
  readonly id: string
  readonly title: string
  readonly clause: Clause
  readonly needs: ReadonlyArray<Capability.Capability>
  /**
   * Whether the check changes what other checks rely on, such as the time or the balance. Such a check runs by itself, after the
   * others.
   */
  readonly alone?: boolean
  /**
   * Longest duration of the check, in seconds, for checks that wait for the gateway. The run's own limit applies if it is longer.
   */
  readonly limitSeconds?: number
  readonly program: Program
}

/** Declares a check. A check under docs/assumptions.md also requires that the gateway follows that document. */
export const make = (check: Check): Check =>
  check.clause.startsWith("docs/assumptions.md") ? { ...check, needs: [...check.needs, Capability.assumptions] } : check

/** Returns the first part of the id, by which reports group checks. */
export const groupOf = ({ id }: Pick<Check, "id">): string => id.split("/")[0] ?? id
