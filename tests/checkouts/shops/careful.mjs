/** The careful shop without a fault. */
import { open } from "./carefulShop.mjs"

await open()
