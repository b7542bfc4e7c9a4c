/** Parts of pages that several pages have: times, amounts, states, tables. Every value goes through the HTML tag, so none becomes markup. */
import * as Money from "@pay/schema/Money"
import { DateTime } from "effect"
import { type Html, html, type Part } from "../../kernel/Html.ts"
import type { Key, Texts } from "./ConsoleTexts.ts"

/** What a state means at a glance; the word of the state always stands beside the colour. */
export type Tone = "good" | "bad" | "wait" | "plain"

const tones: Readonly<Record<string, Tone>> = {
  approved: "good",
  delivered: "good",
  done: "good",
  declined: "bad",
  error: "bad",
  filtered: "bad",
  refused: "bad",
  "dead-lettered": "bad",
  processing: "wait",
  unknown: "wait",
  pending: "wait",
  proposed: "wait",
  open: "wait"
}

export const toneOf = (word: string): Tone => tones[word] ?? "plain"

export const tag = (word: string, tone: Tone = toneOf(word)): Html => html`<span class="tag ${tone}">${word}</span>`

/** A time in UTC, as the log and the command line write it. */
export const time = (ms: number): Html => {
  const iso = DateTime.formatIso(DateTime.makeUnsafe(ms))
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace("T", " ")}</time>`
}

const units = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1000]
] as const

/** A length of time by its two largest units: `2 h 5 min`. */
export const duration = (ms: number): string => {
  const at = units.findIndex(([, unitMs]) => ms >= unitMs)
  if (at === -1) return "0 s"
  let leftMs = ms
  return units
    .slice(at, at + 2)
    .flatMap(([unit, unitMs]) => {
      const count = Math.floor(leftMs / unitMs)
      leftMs -= count * unitMs
      return count === 0 ? [] : [`${count} ${unit}`]
    })
    .join(" ")
}

export const amount = (minor: number, currency: string): string => `${Money.fromMinor(minor, currency)} ${currency}`

export interface Column<R> {
  readonly key: Key
  readonly cell: (row: R) => Part
  /** Figures stand at the end of their column. */
  readonly isFigure?: boolean
}

/** A table whose rows become blocks on a narrow screen. Without rows it says what will stand there. */
export const table = <R>(
  text: Texts,
  {
    caption,
    columns,
    empty,
    rows
  }: {
    readonly caption: string
    readonly columns: ReadonlyArray<Column<R>>
    readonly rows: ReadonlyArray<R>
    readonly empty: string
  }
): Html =>
  rows.length === 0
    ? html`<p class="empty">${empty}</p>`
    : html`<table class="rows"><caption class="unseen">${caption}</caption><thead><tr>${columns.map(
        ({ isFigure, key }) => html`<th scope="col"${classOf(isFigure)}>${text(key)}</th>`
      )}</tr></thead><tbody>${rows.map(
        (row) =>
          html`<tr>${columns.map(
            ({ cell, isFigure, key }) => html`<td data-label="${text(key)}"${classOf(isFigure)}>${cell(row)}</td>`
          )}</tr>`
      )}</tbody></table>`

const classOf = (isFigure: boolean | undefined): Html | false => isFigure === true && html` class="right"`

/** Names with their values. A value that is absent is left out. */
export const facts = (text: Texts, rows: ReadonlyArray<readonly [Key, Part | null]>): Html =>
  html`<dl class="facts">${rows.flatMap(([key, value]) =>
    value === null || value === undefined || value === false || value === ""
      ? []
      : [html`<dt>${text(key)}</dt><dd>${value}</dd>`]
  )}</dl>`
