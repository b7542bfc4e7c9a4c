/** One check as a value: what the specification says, what the check needs of the gateway, and the program that asks. */
import type { Effect } from "effect"
import * as Capability from "./Capability.ts"
import type { Gateway } from "./Gateway.ts"
import type { Lacking, Violation } from "./Violation.ts"

/** A part of the specification, or a row of docs/assumptions.md, which fills the specification's gaps. */
export interface Clause {
  readonly document: "specification" | "assumptions"
  readonly title: string
}

export const specification = (title: string): Clause => ({ document: "specification", title })
export const assumption = (title: string): Clause => ({ document: "assumptions", title })

export type Program = Effect.Effect<void, Violation | Lacking, Gateway>

export interface Check {
  /** Unique: group, operation or subject, and what is checked, with slashes. */
  readonly id: string
  readonly title: string
  readonly clause: Clause
  readonly needs: ReadonlyArray<Capability.Capability>
  /** The check changes what others rely on, such as the time or the balance: it runs by itself, after the others. */
  readonly alone?: boolean
  /** Longer than the run's own limit, for checks that wait for the gateway. */
  readonly limitSeconds?: number
  readonly program: Program
}

/** Declares a check. What rests on docs/assumptions.md needs a gateway that follows it. */
export const make = (check: Check): Check =>
  check.clause.document === "assumptions" ? { ...check, needs: [...check.needs, Capability.assumptions] } : check

/** The first part of the id, under which reports count. */
export const groupOf = ({ id }: Pick<Check, "id">): string => id.split("/")[0] ?? id
