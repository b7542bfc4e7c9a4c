/** What `npm run drill` is asked for. */
import { Data, Effect } from "effect"
import type { Description } from "./Incident.ts"

export class WrongArguments extends Data.TaggedError("WrongArguments")<{ readonly message: string }> {}

/** The help: the incidents with what happens in each. */
export const usage = (incidents: ReadonlyArray<Description>): string => {
  const width = Math.max(...incidents.map(({ name }) => name.length))
  return [
    "npm run drill                  plays every incident",
    "npm run drill -- NAME [NAME…]  plays these",
    "",
    ...incidents.map(({ happens, name }) => `  ${name.padEnd(width)}  ${happens}`)
  ].join("\n")
}

/** Returns the names of the incidents to play, or `help`. */
export const read = Effect.fnUntraced(function* (args: ReadonlyArray<string>, incidents: ReadonlyArray<Description>) {
  if (args.includes("--help") || args.includes("-h")) return "help"
  const unknown = args.filter((name) => !incidents.some((incident) => incident.name === name))
  if (unknown.length > 0)
    return yield* new WrongArguments({
      message: `There is no incident ${unknown.map((name) => `"${name}"`).join(", ")}.`
    })
  const names = incidents.map(({ name }) => name)
  return args.length === 0 ? names : names.filter((name) => args.includes(name))
})
