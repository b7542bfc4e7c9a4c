/** Prepares text of other systems for logs and evidence: one line, short, and without card numbers. */
import * as CardText from "@pay/schema/CardText"

const longest = 500

/** The first characters of the text on one line. Card numbers are masked before the cut, so that no part of one is left. */
export const of = (text: string, length = longest): string =>
  CardText.mask(text, length)
    .slice(0, length)
    .replaceAll(/[\r\n]+/g, " ")
