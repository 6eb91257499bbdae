import fs from 'node:fs'
import path from 'node:path'
import { Marked, type Tokens } from 'marked'
import { ROOT } from '../source-tree.ts'
import { manualPdf } from './manual-pdf.ts'
import { searchSections } from './manual-sections.ts'
import { fillTables } from './manual-tables.ts'

/**
 * Builds the manual: Markdown under docs/manual → pages for `/docs/` in docs/dist, in the product's colours, with a
 * full-text search; the administrator's guide also as PDF. No inline scripts or styles, because the applications'
 * content security policy applies here too.
 */
const SOURCE = path.join(ROOT, 'docs/manual')
const TARGET = path.join(ROOT, 'docs/dist')
/** In the order of the menu: pages for publishers first, then pages for staff. */
const PUBLISHER_PAGES = [
  'publisher-guide',
  'faq',
  'statements',
  'metrics',
  'feed-specification',
  'content-guidelines',
  'service-terms',
  'webhooks',
  'api-keys',
] as const
const STAFF_PAGES = ['first-close', 'admin-guide', 'transfers', 'imports', 'ingest'] as const
const COMMON_PAGES = ['messages', 'words', 'operation', 'privacy', 'release-notes'] as const
const PAGES = ['README', ...PUBLISHER_PAGES, ...STAFF_PAGES, ...COMMON_PAGES] as const
const MENU: readonly { readonly heading?: string; readonly names: readonly Page[] }[] = [
  { names: ['README'] },
  { heading: 'パブリッシャーの方', names: PUBLISHER_PAGES },
  { heading: '運営の方', names: STAFF_PAGES },
  { heading: 'すべての方', names: COMMON_PAGES },
]
/** Pages that are also built as PDF. */
const PDF_PAGES: readonly Page[] = ['admin-guide']
type Page = (typeof PAGES)[number]

interface Heading {
  readonly depth: number
  readonly text: string
  readonly id: string
}

interface ManualPage {
  readonly name: Page
  readonly title: string
  readonly html: string
  readonly headings: readonly Heading[]
}

export function readManual(): ManualPage[] {
  return PAGES.map(renderPage)
}

export async function buildManual(): Promise<number> {
  const pages = readManual()
  fs.rmSync(TARGET, { recursive: true, force: true })
  fs.mkdirSync(TARGET, { recursive: true })
  const release = newestRelease()
  for (const page of pages) fs.writeFileSync(path.join(TARGET, addressOf(page.name)), documentOf(page, pages, release))
  const sections = pages.flatMap(({ title, name, html }) => searchSections(title, addressOf(name), html))
  fs.writeFileSync(path.join(TARGET, 'search.json'), JSON.stringify(sections))
  const copies: readonly (readonly [from: string, to: string])[] = [
    ['tools/manual/manual.css', 'manual.css'],
    ['tools/manual/search.js', 'search.js'],
    ['tools/manual/find-sections.js', 'find-sections.js'],
    ['tools/manual/contact.js', 'contact.js'],
    ['ui/theme/tokens.css', 'tokens.css'],
    ['ui/theme/pc-num.woff2', 'pc-num.woff2'],
    ['apps/console/public/color-scheme.js', 'color-scheme.js'],
    ['apps/console/public/icon.svg', 'icon.svg'],
  ]
  for (const [from, to] of copies) fs.copyFileSync(path.join(ROOT, from), path.join(TARGET, to))
  fs.cpSync(path.join(SOURCE, 'images'), path.join(TARGET, 'images'), { recursive: true })
  for (const name of PDF_PAGES) fs.writeFileSync(path.join(TARGET, `${name}.pdf`), manualPdf(sourceOf(name), SOURCE))
  return pages.length
}

function addressOf(name: Page): string {
  return name === 'README' ? 'index.html' : `${name}.html`
}

/** The Markdown of a page, with tables that come from the code filled in. */
function sourceOf(name: Page): string {
  return fillTables(fs.readFileSync(path.join(SOURCE, `${name}.md`), 'utf8'))
}

function renderPage(name: Page): ManualPage {
  const headings: Heading[] = []
  const ids = new Set<string>()
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }: Tokens.Heading): string {
        const text = this.parser.parseInline(tokens)
        const plain = text.replace(/<[^>]+>/g, '')
        const id = uniqueId(plain, ids)
        headings.push({ depth, text: plain, id })
        return `<h${depth} id="${id}">${text}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link): string {
        return `<a href="${pageAddress(href)}">${this.parser.parseInline(tokens)}</a>`
      },
      image({ href, text }: Tokens.Image): string {
        return `<figure><img src="${href}" alt="${text}" loading="lazy"><figcaption>${text}</figcaption></figure>`
      },
      table(token: Tokens.Table): string {
        const cell = (tag: string, one: Tokens.TableCell) => `<${tag}>${this.parser.parseInline(one.tokens)}</${tag}>`
        const row = (tag: string, cells: readonly Tokens.TableCell[]) =>
          `<tr>${cells.map(one => cell(tag, one)).join('')}</tr>`
        const head = `<thead>${row('th scope="col"', token.header).replaceAll('</th scope="col">', '</th>')}</thead>`
        const body = `<tbody>${token.rows.map(cells => row('td', cells)).join('')}</tbody>`
        return `<div class="table" role="region" aria-label="表" tabindex="0"><table>${head}${body}</table></div>\n`
      },
    },
  })
  const html = joinJapaneseLines(marked.parse(sourceOf(name), { async: false }))
  return { name, title: headings[0]?.text ?? name, html, headings }
}

/** Joins lines: a line break between Japanese characters, or after a Japanese full stop, is no space. */
function joinJapaneseLines(html: string): string {
  return html
    .replace(/(?<=[。、])\n(?=[0-9A-Za-z])/g, '')
    .replace(/(?<=[\u3000-\u9fff\uff00-\uffef>])\n(?=[\u3000-\u9fff\uff00-\uffef])/g, '')
}

function uniqueId(text: string, taken: Set<string>): string {
  const base = text.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'section'
  let id = base
  for (let count = 2; taken.has(id); count += 1) id = `${base}-${count}`
  taken.add(id)
  return id
}

/** Links between pages: `x.md#y` → `x.html#y`. */
function pageAddress(href: string): string {
  return href.replace(/^README\.md/, 'index.html').replace(/^([\w-]+)\.md/, '$1.html')
}

function menuOf(page: ManualPage, pages: readonly ManualPage[]): string {
  const link = (name: Page) => {
    const current = name === page.name ? ' aria-current="page"' : ''
    const title = name === 'README' ? 'はじめに' : pages.find(other => other.name === name)?.title
    return `<li><a href="${addressOf(name)}"${current}>${title}</a></li>`
  }
  const group = ({ heading, names }: (typeof MENU)[number]) => {
    const links = names.map(link).join('')
    return heading === undefined ? links : `<li class="group">${heading}<ul>${links}</ul></li>`
  }
  return MENU.map(group).join('')
}

interface Release {
  readonly version: string
  /** In Japanese. */
  readonly releasedOn: string
}

/** The newest entry of the release notes. */
function newestRelease(): Release {
  const [, version = '', releasedOn = ''] = /^## (\S+)（(.+)）$/m.exec(sourceOf('release-notes')) ?? []
  return { version, releasedOn }
}

function documentOf(page: ManualPage, pages: readonly ManualPage[], { version, releasedOn }: Release): string {
  const menu = menuOf(page, pages)
  const contents = page.headings
    .filter(({ depth }) => depth === 2 || depth === 3)
    .map(({ id, text, depth }) => `<li class="depth-${depth}"><a href="#${id}">${text}</a></li>`)
    .join('')
  const pdf = PDF_PAGES.includes(page.name) ? `<a class="button" href="${page.name}.pdf">PDFで開く</a>` : ''
  return `<!doctype html>
<html lang="ja">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${page.title} - Publisher Center</title>
<link rel="icon" type="image/svg+xml" href="icon.svg">
<script src="color-scheme.js"></script>
<link rel="stylesheet" href="tokens.css">
<link rel="stylesheet" href="manual.css">
<script type="module" src="search.js"></script>
<script type="module" src="contact.js"></script>
</head>
<body>
<a class="skip" href="#main">本文へ移動</a>
<header>
<a class="brand" href="/gpc/"><img src="icon.svg" alt="" width="24" height="24"><span>Publisher Center</span></a>
<a class="to-menu" href="#menu">目次</a>
<form role="search" class="search"><label for="search">マニュアルを検索</label>
<input id="search" type="search" autocomplete="off" placeholder="言葉やメッセージで検索" aria-controls="results" aria-keyshortcuts="/ Control+K">
<div id="results" class="results" hidden><p role="status"></p><ul aria-label="検索結果"></ul></div></form>
</header>
<div class="columns">
<main id="main">${pdf}
${page.html}</main>
<nav class="menu" id="menu" aria-label="マニュアル"><ul>${menu}</ul></nav>
<nav class="contents" aria-label="このページの内容"><ol>${contents}</ol></nav>
</div>
<footer><span>Publisher Center ${version}（${releasedOn}）</span><a href="release-notes.html">リリースノート</a></footer>
</body>
</html>
`
}

if (import.meta.main) console.log(`built the manual: ${await buildManual()} pages`)
