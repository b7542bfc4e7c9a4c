/** The list of all operations, each with a link to its page. */
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as Scheme from "@pay/schema/Scheme"
import { code, page, table } from "./Markdown.ts"
import { fileName } from "./OperationPage.ts"

const signing = (operation: Operation): string =>
  Scheme.match(operation.signing, { Control: () => "control", OAuth: ({ methods }) => `OAuth ${methods.join(", ")}` })

export const write = (): string =>
  page(
    "# Operations",
    "Every operation is a `POST` of a form, with the header `Accept: application/vnd.pay+json`. The path ends with the number of an endpoint or of an endpoint group.",
    "[openapi.json](../../openapi.json) describes the same for tools.",
    table(
      ["Operation", "Path", "Signed by", "Purpose"],
      PayApi.all.map((operation) => [
        `[${operation.command}](${fileName(operation)}.md)`,
        code(`${operation.path}/{endpointId}`),
        signing(operation),
        operation.summary
      ])
    )
  )
