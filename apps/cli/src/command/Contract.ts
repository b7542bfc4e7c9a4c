/** The operations of the contract, with their fields by each accepted spelling. */
import { type FieldFacts, facts } from "./ContractFacts.ts"

export interface OperationFacts extends Omit<(typeof facts)[number], "aliases" | "fields"> {
  readonly fields: ReadonlyMap<string, FieldFacts>
  /** The primary name of each accepted spelling. */
  readonly spellings: ReadonlyMap<string, string>
}

/** Every operation, in the order of the specification. */
export const all: ReadonlyArray<OperationFacts> = facts.map(({ aliases, fields, ...operation }) => ({
  ...operation,
  fields: new Map(fields),
  spellings: new Map([...fields.map(([name]) => [name, name] as const), ...aliases])
}))
