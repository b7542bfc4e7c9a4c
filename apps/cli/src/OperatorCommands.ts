/** The commands of the operator contract, as `npm run docs` writes them from it: help and flags need no Effect. */
import type { Command } from "./Command.ts"
import generated from "./OperatorCommands.json" with { type: "json" }

export type Name = keyof typeof generated

export const commands: Readonly<Record<Name, Command>> = generated

const isName = (name: string): name is Name => Object.hasOwn(generated, name)

export const names: ReadonlyArray<Name> = Object.keys(generated).filter(isName)
