/** What `status` says of where a payout goes. */
import type { Payout } from "./Payout.ts"

export const fields = ({ bin, cardType, lastFour, masked }: Payout) => ({
  destination: masked,
  ...(bin === "" ? {} : { "dest-bin": bin, "dest-last-four-digits": lastFour, "dest-card-type": cardType })
})
