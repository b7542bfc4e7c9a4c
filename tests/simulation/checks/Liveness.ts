/** Once faults have stopped, everything comes to an end. */
import type { Check } from "./Check.ts"

export const ends: Check = {
  name: "certain ends",
  what: "In the end no flow is left without a certain end.",
  begin: ({ wishes }) => ({
    atEnd: async () =>
      [...wishes.values()]
        .filter(({ intent }) => intent.end === "moving" || intent.end === "unsure")
        .map(({ flow, intent }) => `${flow} ${intent.name} has no certain end: ${intent.end}`)
  })
}
