/** Generated documents of this package, for `npm run docs`: contents by path. */
import { flowsPage } from "./FlowsPage.ts"

export default (): Record<string, string> => ({ "docs/flows-reference.md": flowsPage() })
