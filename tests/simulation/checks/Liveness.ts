/** Once faults have stopped, everything comes to an end. */
import type { Check } from "./Check.ts"

export const ends: Check = {
  name: "certain ends",
  what: "In the end no flow is left without a certain end; at a gateway that tells only what the specification says, without an end.",
  begin: ({ merchantOf, wishes }) => ({
    atEnd: async () =>
      [...wishes.values()]
        .filter(
          ({ intent: { end, login } }) => end === "moving" || (end === "unsure" && merchantOf(login).place.isOurs)
        )
        .map(({ flow, intent }) => `${flow} ${intent.name} has no certain end: ${intent.end}`)
  })
}
