/** No answer to a merchant contradicts an earlier one. */
import type { Check } from "./Check.ts"

export const answers: Check = {
  name: "true answers",
  what: "What the gateway reports of an order or a stored card is what it reported before.",
  begin: ({ inconsistentAnswers }) => {
    let count = 0
    return {
      afterStep: async () => {
        const fresh = inconsistentAnswers.slice(count)
        count = inconsistentAnswers.length
        return fresh
      },
      atEnd: async () => inconsistentAnswers.slice(count)
    }
  }
}
