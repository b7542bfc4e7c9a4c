/** Finds the operation that an argument names. */

import * as Suggestion from "@pay/server/Suggestion"
import { UsageError } from "../terminal/UsageError.ts"
import * as Contract from "./Contract.ts"

/** Returns the operation with this command, name (`PAYOUT_V4`), path, or unambiguous start of its command, or fails. */
export const find = (typed: string | undefined, topic: string): Contract.OperationFacts => {
  if (typed === undefined || typed.startsWith("-")) {
    throw new UsageError(`Name the operation first: pay ${topic} OPERATION --field value …`, topic)
  }
  const word = typed.toLowerCase()
  const exact = Contract.all.find(({ command, name, path }) => [command, name.toLowerCase(), path].includes(word))
  if (exact !== undefined) return exact
  const [only, ...others] = Contract.all.filter(({ command }) => command.startsWith(word))
  if (only !== undefined && others.length === 0) return only
  if (only !== undefined) {
    const names = [only, ...others].map(({ command }) => command).join(", ")
    throw new UsageError(`More than one operation starts like this: ${names}`, topic)
  }
  const near = Suggestion.closest(
    typed,
    Contract.all.map(({ command }) => command)
  )
  const unknown = topic === "help" ? "No command and no operation has this name" : "Unknown operation"
  throw new UsageError(
    near === undefined ? unknown : `${unknown}. Did you mean ${near}?`,
    topic === "help" ? undefined : topic
  )
}
