/** Defects in hosted pages and 3-D Secure. */
import { type Planted, seen } from "./Patch.ts"

export const pages: ReadonlyArray<Planted> = [
  seen(
    "an issuer's refusal authenticates",
    "the bank authorizes what the issuer refused",
    "packages/gateway/src/threeds/ThreeDSStages.ts",
    '["N", "refused"],',
    '["N", "authenticated"],'
  )
]
