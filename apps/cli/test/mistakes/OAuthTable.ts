/** Mistakes with requests that OAuth signs, each with the name of its cause. */
import { oauthAddresses } from "./OAuthAddresses.ts"
import { oauthHeaders } from "./OAuthHeaders.ts"
import { oauthParameters } from "./OAuthParameters.ts"
import { oauthRights } from "./OAuthRights.ts"
import { oauthSteps } from "./OAuthSteps.ts"
import type { Row } from "./RawRequest.ts"

export const oauthTable: ReadonlyArray<Row> = [
  ...oauthAddresses,
  ...oauthParameters,
  ...oauthSteps,
  ...oauthHeaders,
  ...oauthRights
]
