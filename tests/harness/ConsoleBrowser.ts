/** A browser without a screen at the operators' console: it keeps cookies, follows redirects, and sends the forms of pages. */
import { NodeServer } from "@pay/gateway/NodeServer"
import * as Form from "@pay/signing/Form"
import { Effect } from "effect"
import * as Http from "./Http.ts"

export interface ConsoleAnswer {
  readonly status: number
  /** The path below the origin, after the redirects. */
  readonly path: string
  readonly text: string
  readonly headers: Http.Answer["headers"]
}

type Fields = Readonly<Record<string, string>>

const hidden = /<input type="hidden" name="(\w+)" value="([^"]*)">/g

/** Returns the hidden fields of the page's form whose address ends like this. */
const fieldsOf = (page: string, action: string): Fields => {
  const form = page.split("<form").find((text) => text.slice(0, text.indexOf(">")).includes(`${action}"`)) ?? ""
  const [content = ""] = form.split("</form>", 1)
  return Object.fromEntries([...content.matchAll(hidden)].map(([, name = "", value = ""]) => [name, value]))
}

const isPairs = (fields: Fields | ReadonlyArray<Form.Parameter>): fields is ReadonlyArray<Form.Parameter> =>
  Array.isArray(fields)

/** Opens a browser at the gateway of the context. `more`: headers of every request. */
export const open = (more: Fields = {}) =>
  Effect.map(NodeServer, ({ operatorUrl }) => {
    const jar = new Map<string, string>()

    const send = Effect.fnUntraced(function* (path: string, body?: string, headers: Fields = {}) {
      const answer = yield* Http.send(operatorUrl + path, {
        headers: {
          cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; "),
          "sec-fetch-site": body === undefined ? "none" : "same-origin",
          ...(body === undefined ? {} : Http.form),
          ...more,
          ...headers
        },
        ...(body === undefined ? {} : { body })
      })
      const [name = "", value = ""] =
        String(answer.headers["set-cookie"] ?? "")
          .split(";", 1)[0]
          ?.split("=") ?? []
      if (value === "") jar.delete(name)
      else jar.set(name, value)
      return { ...answer, path }
    })

    /** Follows redirects, as a browser does. */
    const followed = Effect.fnUntraced(function* (first: ConsoleAnswer) {
      let answer = first
      while (answer.status === 303) {
        const url = new URL(String(answer.headers.location), operatorUrl + answer.path)
        answer = yield* send(url.pathname + url.search)
      }
      return answer
    })

    const get = (path: string) => Effect.flatMap(send(path), followed)
    const post = (path: string, fields: Fields | ReadonlyArray<Form.Parameter>, headers?: Fields) => {
      const pairs = isPairs(fields) ? fields : Object.entries(fields)
      return Effect.flatMap(send(path, Form.write(pairs), headers), followed)
    }
    return {
      jar,
      get,
      post,
      /** Sends the form of a page whose address ends like this, with the fields that a person fills in. */
      submit: (page: ConsoleAnswer, action: string, fields: Fields = {}, headers?: Fields) =>
        post(new URL(action, "http://x/console/").pathname, { ...fieldsOf(page.text, action), ...fields }, headers),
      signIn: (token: string) =>
        Effect.flatMap(get("/console/sign-in"), () => post("/console/sign-in", { token, to: "" }))
    }
  })

export type ConsoleBrowser = Effect.Success<ReturnType<typeof open>>

export const address = NodeServer

/** Sends one request as it is, without cookies and without following anything. */
export const raw = (url: string, headers: Fields, body?: string) =>
  Http.send(url, {
    headers: { ...(body === undefined ? {} : Http.form), ...headers },
    ...(body === undefined ? {} : { body })
  })
