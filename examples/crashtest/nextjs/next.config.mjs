import { dirname } from "node:path"

/** The folder above has the file of the orders, which the other shops on Node use, too. */
export default { turbopack: { root: dirname(import.meta.dirname) } }
