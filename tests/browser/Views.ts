/**
 * What is wrong with a page on different screens: what people with disabilities could not use, and what does not fit the window. With
 * `PAY_PICTURES=1` a picture of every view is written into .reports/screenshots, and those that documents show into docs.
 */
import { readFileSync } from "node:fs"
import { mkdir, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { join } from "node:path"
import type { AxeResults } from "axe-core"
import type { Page } from "playwright-core"
import { root } from "../../scripts/Workspace.ts"

export interface View {
  readonly width: number
  readonly colorScheme: "light" | "dark"
  /** Whether the page only has to fit the window, because an audit in another view finds the same. */
  readonly isSizeOnly?: true
}

/** The audits are of the widest and the narrowest window, in one color scheme each. */
export const views: ReadonlyArray<View> = [
  { width: 1280, colorScheme: "light" },
  { width: 375, colorScheme: "light", isSizeOnly: true },
  { width: 320, colorScheme: "dark" }
]

export const show = async (page: Page, { colorScheme, width }: View): Promise<void> => {
  await page.setViewportSize({ width, height: 800 })
  await page.emulateMedia({ colorScheme })
}

const folder = join(root, ".reports/screenshots")

/** The pictures that documents show, by their views. */
const published: ReadonlyMap<string, string> = new Map([["console-incident", join(root, "docs/console-now.png")]])

/** Writes a picture of the whole page, if pictures are wanted. */
export const takePicture = async (page: Page, name: string): Promise<void> => {
  if (process.env.PAY_PICTURES === undefined) return
  await mkdir(folder, { recursive: true })
  const picture = await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
  const document = published.get(name)
  if (document !== undefined) await writeFile(document, picture)
}

/** The minified form, which a page loads in two thirds of the time. */
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** Loads axe once for each document, however often the document is audited. */
const violations = async (page: Page): Promise<AxeResults["violations"]> => {
  if (!(await page.evaluate<boolean>("typeof axe === 'object'"))) await page.evaluate(`${axe};0`)
  return page.evaluate<AxeResults["violations"]>(
    "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)"
  )
}

/** What does not fit the window of the page. */
export const excess = async (page: Page): Promise<ReadonlyArray<string>> => {
  const pixels = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")
  return pixels > 0 ? [`${pixels} pixels wider than the window`] : []
}

/** What is wrong with the page in this view, in which it is shown now. `name` begins the name of its picture. */
export const flaws = async (page: Page, name: string, view: View): Promise<ReadonlyArray<string>> => {
  const named = `${name}-${view.width}-${view.colorScheme}`
  await takePicture(page, named)
  const inaccessible = view.isSizeOnly ? [] : await violations(page)
  const barriers = inaccessible.map(({ help, nodes }) => `${help}: ${nodes.map(({ html }) => html).join(" ")}`)
  return [...(await excess(page)), ...barriers].map((flaw) => `${named}: ${flaw}`)
}

/** What is wrong with the page in each of these views. It is shown in the first of them afterwards. */
export const flawsIn = async (
  page: Page,
  name: string,
  shown: ReadonlyArray<View> = views
): Promise<ReadonlyArray<string>> => {
  const result: Array<string> = []
  for (const view of shown) {
    await show(page, view)
    result.push(...(await flaws(page, name, view)))
  }
  if (shown[0] !== undefined) await show(page, shown[0])
  return result
}
