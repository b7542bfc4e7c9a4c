/** Defects in hosted pages and 3-D Secure. */
import { type Planted, visible } from "./Patch.ts"

export const pages: ReadonlyArray<Planted> = [
  visible(
    "an issuer's refusal authenticates",
    "the bank authorizes what the issuer refused",
    "packages/gateway/src/threeds/ThreeDSStages.ts",
    '["N", "refused"],',
    '["N", "authenticated"],'
  )
]
