/** Writes `docs/merchants/callback-format.md` from the contract. */
import * as CallbacksPage from "../src/pages/CallbacksPage.ts"

export default async (): Promise<Record<string, string>> => ({
  "docs/merchants/callback-format.md": CallbacksPage.write()
})
