/** The shop's name, logo and colour. The gateway's hosted pages show the same if its endpoint is configured so (`brand`). */

export const name = "Foxglove"

/** White text and the white page have a contrast of more than 7 to it. */
export const color = "#7a2a63"

/** The colour on dark pages, which the gateway makes from the other one. */
export const darkColor = "#c4a1ba"

/** A bell of a foxglove. */
export const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="10" fill="${color}"/><path d="M20 8c-1.500 4-6.500 6-6.500 13 0 4-1.500 5.500-3 7 3 .5 4.500-.5 5.500-1.500 1 2 2.500 3 4 3s3-1 4-3c1 1 2.500 2 5.500 1.500-1.500-1.500-3-3-3-7 0-7-5-9-6.500-13Z" fill="#fff"/><circle cx="18" cy="22" r="1.300" fill="${color}"/><circle cx="21.500" cy="19" r="1.100" fill="${color}"/><circle cx="21" cy="24" r="1.300" fill="${color}"/></svg>`
