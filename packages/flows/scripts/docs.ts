/** Generated documents of this package, for `npm run docs`: contents by path. */
import { flowsPage } from "./FlowsPage.ts"
import { common, guides } from "./Guides.ts"

export default (): Record<string, string> => {
  const { guideOf, pages } = guides()
  return { ...pages, "docs/merchants/flows-reference.md": `${flowsPage(guideOf)}\n${common()}\n` }
}
