import { expect, it } from "vitest"
import * as EndpointId from "../src/EndpointId.ts"

it.each(["1", "1111", "9223372036854775807"])("EndpointId.parse accepts %s", (text) =>
  expect(EndpointId.parse(text)).toBe(text)
)

it.each([
  "0",
  "007",
  "-1",
  "+1",
  "1.0",
  "1e3",
  "",
  " 1",
  "٣",
  "0x1",
  "9223372036854775808",
  "9999999999999999999",
  "92233720368547758070",
  "group"
])("EndpointId.parse refuses %s", (text) => expect(EndpointId.parse(text)).toBeUndefined())
