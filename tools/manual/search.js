// Searches the headings of all pages, but not while the input method is composing.
const input = document.getElementById('search')
const results = document.getElementById('results')
const status = document.querySelector('.search .status')
let headings

const fold = text => text.normalize('NFKC').toLowerCase()

async function search() {
  const words = fold(input.value).split(/\s+/).filter(Boolean)
  headings ??= await (await fetch('headings.json')).json()
  const found = words.length === 0 ? [] : headings.filter(one => matches(one, words)).slice(0, 12)
  results.replaceChildren(...found.map(resultOf))
  results.hidden = found.length === 0
  status.textContent = words.length === 0 ? '' : `${found.length}件の見出しが見つかりました。`
}

function matches({ page, text }, words) {
  const folded = fold(`${page} ${text}`)
  return words.every(word => folded.includes(word))
}

function resultOf({ page, text, href }) {
  const link = document.createElement('a')
  link.href = href
  link.append(text)
  const small = document.createElement('small')
  small.append(page)
  link.append(small)
  const item = document.createElement('li')
  item.append(link)
  return item
}

input.addEventListener('input', event => {
  if (!event.isComposing) void search()
})
input.addEventListener('compositionend', () => void search())
input.form.addEventListener('submit', event => {
  event.preventDefault()
  results.querySelector('a')?.click()
})
results.addEventListener('click', () => {
  results.hidden = true
})
document.addEventListener('keydown', event => {
  if (event.key === 'Escape') results.hidden = true
})
