/** A bank that answers the identical request once more does so for the time that it declares. */
import type { Check } from "./Check.ts"

export const windows: Check = {
  name: "the bank's windows",
  what: "No request reaches the bank again after the time in which it answers the identical request as the first one.",
  begin: ({ system }) => ({ atEnd: async () => system.forgotten() })
}
