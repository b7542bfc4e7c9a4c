/** Pictures of pages for people to look at: `PAY_PICTURES=1 npm test -- --project browser` writes them into .reports/screenshots. */
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { root } from "../../scripts/Workspace.ts"

const folder = join(root, ".reports/screenshots")
const isWanted = process.env.PAY_PICTURES !== undefined

/** Takes a picture of the whole page, if pictures are wanted. */
export const take = async (page: Page, name: string): Promise<void> => {
  if (!isWanted) return
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
