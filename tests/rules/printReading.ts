/** Prints what a developer of a merchant reads to trust a sale. */
import { parts } from "./Reading.ts"

for (const { files, lines, name } of parts()) console.log(`${name}: ${lines} lines in ${files} files`)
