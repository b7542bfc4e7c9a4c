/** Defects in hosted pages and 3-D Secure. */
import { type Defect, visible } from "./Defect.ts"

export const pages: ReadonlyArray<Defect> = [
  visible(
    "an issuer's refusal is treated as an authentication",
    "the bank authorizes a payment that the issuer did not authenticate",
    "gateway/gateway/src/threeds/decide/ThreeDSStages.ts",
    '["N", "refused"],',
    '["N", "authenticated"],'
  )
]
