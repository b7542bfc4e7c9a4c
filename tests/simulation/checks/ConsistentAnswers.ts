/** No answer to a merchant contradicts an earlier answer. */
import type { Check } from "./Check.ts"

export const answers: Check = {
  name: "consistent answers",
  what: "The gateway reports the same facts of an order or a stored card as before.",
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
