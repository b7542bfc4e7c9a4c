/** Mistakes that were listed before anyone tried them, to tell what is named of those that nobody has seen. */
import type { Row } from "../RawRequest.ts"
import { controlFirst } from "./ControlFirst.ts"
import { controlOthers } from "./ControlOthers.ts"
import { controlSecond } from "./ControlSecond.ts"
import { controlThird } from "./ControlThird.ts"
import { fourthTable } from "./FourthTable.ts"
import { oauthFirst } from "./OAuthFirst.ts"
import { oauthSecond } from "./OAuthSecond.ts"
import { oauthThird } from "./OAuthThird.ts"

export const unseenTable: ReadonlyArray<Row> = [
  ...controlFirst,
  ...controlOthers,
  ...oauthFirst,
  ...controlSecond,
  ...oauthSecond,
  ...controlThird,
  ...oauthThird,
  ...fourthTable
]
