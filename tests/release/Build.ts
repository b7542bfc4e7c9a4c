/** Builds the packages once for all files of the project `release`, which pack them side by side. */
import { build } from "./Consumer.ts"

export default build
