/** Fields with the name of a person. Customers paste their card number into them by mistake. */
import * as Blanks from "../Blanks.ts"
import * as CardText from "../CardText.ts"
import { codes } from "../ErrorCode.ts"
import * as Field from "../Field.ts"

const hasNumber: Field.Flaw = { code: codes.cardRepeated.code, says: "must not contain a card number" }

/** Makes a field for the name of a person (docs/assumptions.md#card-data). */
export const personName = (about: string, sample: string) =>
  Field.text({
    about,
    max: 128,
    sample,
    normal: Blanks.oneLine,
    rule: (text) => (CardText.hasNumber(text) ? hasNumber : undefined)
  })
