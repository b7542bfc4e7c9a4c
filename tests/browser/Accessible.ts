/** What people with disabilities could not use on a page. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { AxeResults } from "axe-core"
import type { Page } from "playwright-core"

/** The minified form, which a page loads in two thirds of the time. */
const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** Loaded once for each document, however often it is asked. */
export const violations = async (page: Page): Promise<AxeResults["violations"]> => {
  if (!(await page.evaluate<boolean>("typeof axe === 'object'"))) await page.evaluate(`${source};0`)
  return page.evaluate<AxeResults["violations"]>(
    "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)"
  )
}
