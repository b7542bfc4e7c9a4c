/** Mistakes with requests that `control` signs, each with the name of its cause. */
import { controlParts } from "./ControlParts.ts"
import { controlRequests } from "./ControlRequests.ts"
import { controlSteps } from "./ControlSteps.ts"
import { controlValues } from "./ControlValues.ts"
import type { Row } from "./RawRequest.ts"

export const controlTable: ReadonlyArray<Row> = [...controlValues, ...controlParts, ...controlSteps, ...controlRequests]
