// The site's script: menu on small screens, tabs of languages, copy buttons, and the search. It sends nothing anywhere.
const root = document.documentElement.dataset.root ?? ""

const element = (tag, properties, ...children) => {
  const node = Object.assign(document.createElement(tag), properties)
  node.append(...children)
  return node
}

// Menu
const menuButton = document.querySelector("button.menu")
menuButton.addEventListener("click", () => {
  const isOpen = document.body.classList.toggle("open")
  menuButton.setAttribute("aria-expanded", String(isOpen))
})
document.querySelector("#menu [aria-current]")?.scrollIntoView({ block: "center" })

// Tabs: adjacent blocks of code with a language become one
const remembered = "pay-docs-language"

const select = (language) => {
  for (const tab of document.querySelectorAll('[role="tab"]')) {
    const names = [...tab.parentElement.children].map(({ textContent }) => textContent)
    if (!names.includes(language)) continue
    const isSelected = tab.textContent === language
    tab.setAttribute("aria-selected", String(isSelected))
    tab.tabIndex = isSelected ? 0 : -1
    document.getElementById(tab.getAttribute("aria-controls")).hidden = !isSelected
  }
}

const makeTabs = (blocks, group) => {
  const list = element("div", { role: "tablist" })
  list.setAttribute("aria-label", "Language")
  const place = element("div", { className: "tabs" }, list)
  blocks[0].before(place)
  for (const [index, block] of blocks.entries()) {
    const language = block.dataset.tab
    const tab = element("button", { type: "button", role: "tab", textContent: language })
    block.id = `tab-${group}-${index}`
    block.setAttribute("role", "tabpanel")
    tab.setAttribute("aria-controls", block.id)
    tab.addEventListener("click", () => {
      localStorage.setItem(remembered, language)
      select(language)
    })
    list.append(tab)
    place.append(block)
  }
  list.addEventListener("keydown", ({ key, target }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key]
    if (step === undefined) return
    const tabs = [...list.children]
    const next = tabs[(tabs.indexOf(target) + step + tabs.length) % tabs.length]
    next.click()
    next.focus()
  })
  select(blocks[0].dataset.tab)
}

const groups = []
for (const block of document.querySelectorAll("pre[data-tab]")) {
  const group = groups.at(-1)
  if (group?.at(-1) === block.previousElementSibling) group.push(block)
  else groups.push([block])
}
groups.forEach(makeTabs)
const language = localStorage.getItem(remembered)
if (language !== null) select(language)

// Copy buttons
for (const block of document.querySelectorAll("pre")) {
  const button = element("button", { type: "button", className: "copy", textContent: "Copy" })
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(block.querySelector("code").textContent)
    button.textContent = "Copied"
  })
  block.append(button)
}

// Search
const input = document.querySelector('input[type="search"]')
const results = document.querySelector("#results")
const mostResults = 20

/** Loads the texts when the search is first used. */
let loading
const load = () => {
  loading ??= new Promise((resolve, reject) => {
    document.head.append(
      element("script", { src: `${root}search.js`, onload: () => resolve(window.searchIndex), onerror: reject })
    )
  })
  return loading
}

/** How well an entry fits: undefined if a word is not in it. */
const scoreOf = ({ h, p, t }, words) => {
  const [page, heading, text] = [p, h, t].map((part) => part.toLowerCase())
  let score = 0
  for (const word of words) {
    const points =
      (heading === word ? 60 : heading.startsWith(word) ? 30 : heading.includes(word) ? 15 : 0) +
      (page === word ? 40 : page.includes(word) ? 10 : 0) +
      (text.includes(word) ? 3 : 0)
    if (points === 0) return undefined
    score += points
  }
  return score
}

/** The words around the first match, with the match marked. */
const excerpt = (text, words) => {
  const lower = text.toLowerCase()
  const word = words.find((each) => lower.includes(each))
  if (word === undefined) return [text.slice(0, 140)]
  const at = lower.indexOf(word)
  const from = Math.max(0, at - 60)
  const after = at + word.length
  const marked = element("mark", { textContent: text.slice(at, after) })
  return [`${from > 0 ? "…" : ""}${text.slice(from, at)}`, marked, text.slice(after, after + 90)]
}

const result = ({ h, p, t, u }, words, index) => {
  const title = h === p ? p : `${p} › ${h}`
  const link = element("a", { href: root + u, role: "option" }, title, element("small", {}, ...excerpt(t, words)))
  link.setAttribute("aria-selected", String(index === 0))
  return link
}

const search = async () => {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
  results.hidden = words.length === 0
  if (words.length === 0) return
  const matches = (await load())
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score !== undefined)
    .sort((one, other) => other.score - one.score)
    .slice(0, mostResults)
  const links = matches.map(({ entry }, index) => result(entry, words, index))
  results.replaceChildren(...(links.length === 0 ? [element("p", { textContent: "Nothing found" })] : links))
}

const move = (step) => {
  const links = [...results.querySelectorAll("a")]
  const at = links.findIndex((link) => link.getAttribute("aria-selected") === "true")
  const next = links[Math.min(Math.max(at + step, 0), links.length - 1)]
  for (const link of links) link.setAttribute("aria-selected", String(link === next))
  next?.scrollIntoView({ block: "nearest" })
}

input.addEventListener("focus", load)
input.addEventListener("input", search)
input.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  move(step)
})
input.form.addEventListener("submit", (event) => {
  event.preventDefault()
  results.querySelector('[aria-selected="true"]')?.click()
})
document.addEventListener("keydown", (event) => {
  const isTyping = event.target instanceof HTMLInputElement
  if (event.key === "Escape") results.hidden = true
  if (event.key !== "/" || isTyping) return
  event.preventDefault()
  input.focus()
})
document.addEventListener("click", ({ target }) => {
  if (!results.contains(target) && target !== input) results.hidden = true
})
