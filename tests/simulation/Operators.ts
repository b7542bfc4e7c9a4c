/** Who operates the gateway of the world: what one of them proposes the other confirms. */
import type { Operator } from "@pay/gateway/Operators"
import { Redacted } from "effect"

export const names = ["ada", "grace"] as const
export type Name = (typeof names)[number]

const token = (name: Name) => `token-of-${name}-in-the-simulation`

export const operators: ReadonlyArray<Operator> = names.map((name) => ({ name, token: Redacted.make(token(name)) }))

export const authorization = (name: Name): string => `Bearer ${token(name)}`
