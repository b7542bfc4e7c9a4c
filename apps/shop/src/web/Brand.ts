/** The shop's name, logo and colour. The gateway's hosted pages show the same if its endpoint is configured so (`brand`). */
import { readFileSync } from "node:fs"
import { join } from "node:path"

export const name = "Foxglove"

/** White text and the white page have a contrast of more than 7 to it. The gateway makes the colour of dark pages from it. */
export const color = "#7a2a63"

export const logo = readFileSync(join(import.meta.dirname, "files/logo.svg"), "utf8")
