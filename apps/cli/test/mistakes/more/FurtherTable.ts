/** Further mistakes over all operations, as programs in PHP, Python, C#, Java, Go, Ruby, JavaScript and shells make them. */
import type { Row } from "../RawRequest.ts"
import { amounts } from "./ControlAmounts.ts"
import { values } from "./ControlFields.ts"
import { hashes } from "./ControlHashes.ts"
import { keys } from "./ControlKeys.ts"
import { pairs } from "./ControlPairs.ts"
import { joins } from "./ControlTexts.ts"
import { algorithms } from "./OAuthAlgorithms.ts"
import { encodings } from "./OAuthEncodings.ts"
import { parameters } from "./OAuthFields.ts"
import { headers } from "./OAuthHeaderTexts.ts"
import { pairs as oauthPairs } from "./OAuthPairs.ts"
import { addresses } from "./OAuthPlaces.ts"
import { keys as secrets } from "./OAuthSecrets.ts"

export const furtherControlTable: ReadonlyArray<Row> = [...amounts, ...values, ...keys, ...hashes, ...joins]
export const furtherOAuthTable: ReadonlyArray<Row> = [
  ...encodings,
  ...parameters,
  ...addresses,
  ...secrets,
  ...algorithms,
  ...headers
]
export const pairsTable: ReadonlyArray<Row> = [...pairs, ...oauthPairs]
