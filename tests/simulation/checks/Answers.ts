/** What merchants are told is what they know. */
import type { Check } from "./Check.ts"

export const answers: Check = {
  name: "true answers",
  what: "What a merchant is told of an order or a kept card is what it was told before.",
  begin: ({ untrue }) => {
    let count = 0
    return {
      afterStep: async () => {
        const fresh = untrue.slice(count)
        count = untrue.length
        return fresh
      },
      atEnd: async () => untrue.slice(count)
    }
  }
}
