/** The operators of the simulated gateway. One of them confirms what the other proposes. */
import type { Operators } from "@pay/gateway/Gateway"
import { Redacted } from "effect"

export const names = ["ada", "grace"] as const
export type Name = (typeof names)[number]

const token = (name: Name) => `token-of-${name}-in-the-simulation`

export const operators: ReadonlyArray<Operators.Operator> = names.map((name) => ({
  name,
  token: Redacted.make(token(name))
}))

export const authorization = (name: Name): string => `Bearer ${token(name)}`
