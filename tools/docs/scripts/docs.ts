/** Writes `docs/merchants/callback-format.md` from the contract, and `docs/README.md` from the shelves of the site. */
import { join } from "node:path"
import * as CallbacksPage from "../src/pages/CallbacksPage.ts"
import * as FrontPage from "../src/site/FrontPage.ts"
import * as Shelves from "../src/site/Shelves.ts"

export default async (): Promise<Record<string, string>> => ({
  "docs/merchants/callback-format.md": CallbacksPage.write(),
  "docs/README.md": FrontPage.page(Shelves.read(join(import.meta.dirname, "../../.."))).markdown
})
