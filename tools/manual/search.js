// Full-text search over all pages, but not while the input method is composing. `search.json` loads with the first use.
import { findSections, foldText, snippetOf } from './find-sections.js'

const MAX_SHOWN = 20
const input = document.getElementById('search')
const panel = document.getElementById('results')
const list = panel.querySelector('ul')
const status = panel.querySelector('[role="status"]')
let loading
let last = 0

function load() {
  loading ??= fetch('search.json').then(response => {
    if (!response.ok) throw new Error(`search.json: ${response.status}`)
    return response.json()
  })
  return loading
}

async function search() {
  const turn = ++last
  const query = input.value.trim()
  if (query === '') return show([], '', true)
  try {
    const found = findSections(await load(), query)
    // A later search may have ended first.
    if (turn === last) show(found.slice(0, MAX_SHOWN), textOf(query, found.length), false)
  } catch {
    loading = undefined
    if (turn === last) show([], '検索できませんでした。通信状態を確認して、もう一度入力してください。', false)
  }
}

function textOf(query, count) {
  if (count === 0) return `「${query}」は見つかりませんでした。短い言葉や、別の言い方でお試しください。`
  return count > MAX_SHOWN
    ? `${count}件のうち、近いものから${MAX_SHOWN}件を表示しています。`
    : `${count}件見つかりました。`
}

function show(sections, text, isHidden) {
  list.replaceChildren(...sections.map(resultOf))
  list.hidden = sections.length === 0
  status.textContent = text
  panel.hidden = isHidden
}

function resultOf({ page, heading, href, block }) {
  const link = document.createElement('a')
  link.href = href
  const title = document.createElement('strong')
  title.append(...marked(heading))
  const where = document.createElement('small')
  where.append(page)
  link.append(title, where)
  if (block !== undefined) {
    const excerpt = document.createElement('span')
    excerpt.append(...marked(snippetOf(block, input.value)))
    link.append(excerpt)
  }
  const item = document.createElement('li')
  item.append(link)
  return item
}

/** The text with the searched words in <mark>. */
function marked(text) {
  const words = foldText(input.value).text.split(/\s+/).filter(Boolean)
  const { text: folded, places } = foldText(text)
  const parts = []
  let from = 0
  for (let at = 0; at < folded.length; ) {
    const word = words.find(one => folded.startsWith(one, at))
    if (word === undefined) {
      at += 1
      continue
    }
    const mark = document.createElement('mark')
    mark.append(text.slice(places[at], places[at + word.length]))
    parts.push(text.slice(from, places[at]), mark)
    at += word.length
    from = places[at]
  }
  return [...parts, text.slice(from)]
}

function move(step) {
  const links = [...list.querySelectorAll('a')]
  const next = links.indexOf(document.activeElement) + step
  if (next < 0) input.focus()
  else links[Math.min(next, links.length - 1)]?.focus()
}

input.addEventListener('focus', () => void load().catch(() => (loading = undefined)))
input.addEventListener('input', event => {
  if (!event.isComposing) void search()
})
input.addEventListener('compositionend', () => void search())
input.form.addEventListener('submit', event => {
  event.preventDefault()
  list.querySelector('a')?.click()
})
input.form.addEventListener('keydown', event => {
  if (event.isComposing) return
  if (event.key === 'ArrowDown') move(1)
  else if (event.key === 'ArrowUp') move(-1)
  else return
  event.preventDefault()
})
list.addEventListener('click', () => {
  panel.hidden = true
})
document.addEventListener('click', event => {
  if (!input.form.contains(event.target)) panel.hidden = true
})
document.addEventListener('keydown', event => {
  if (event.isComposing) return
  if (event.key === 'Escape' && !panel.hidden) {
    panel.hidden = true
    input.focus()
  } else if (isSearchKey(event)) {
    event.preventDefault()
    input.focus()
    input.select()
  }
})

function isSearchKey({ key, ctrlKey, metaKey, altKey, target }) {
  if ((ctrlKey || metaKey) && key.toLowerCase() === 'k') return true
  return key === '/' && !ctrlKey && !metaKey && !altKey && !(target instanceof HTMLInputElement)
}

// The console's palette opens the manual with the words that it did not find.
const initial = new URLSearchParams(location.search).get('q')
if (initial) {
  input.value = initial
  input.focus()
  void search()
}
