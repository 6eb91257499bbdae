import { createRequire } from 'node:module'
import path from 'node:path'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { lexer, type Token, type Tokens } from 'marked'

/**
 * A Markdown page as an A4 document with a cover line, a table of contents, page numbers and repeated table headers.
 */
export function manualPdf(markdown: string, folder: string): Uint8Array {
  const fonts = path.dirname(createRequire(import.meta.url).resolve('@expo-google-fonts/noto-sans-jp/package.json'))
  const fontPaths = ['400Regular', '700Bold'].map(weight => path.join(fonts, weight))
  const compiler = NodeCompiler.create({ workspace: folder, fontArgs: [{ fontPaths }] })
  return compiler.pdf({ mainFileContent: typstOf(markdown) })
}

const STYLE = `#set document(title: "管理者ガイド", author: "Publisher Center")
#set text(font: "Noto Sans JP", lang: "ja", size: 10pt)
#set par(justify: true, leading: 0.85em, spacing: 1.1em)
#set page(paper: "a4", margin: (x: 20mm, y: 22mm), header: align(right, text(8pt, fill: luma(110))[Publisher Center]),
  footer: context align(center, text(9pt, counter(page).display("1 / 1", both: true))))
#set table(stroke: 0.5pt + luma(200), inset: 6pt, fill: (_, y) => if y == 0 { rgb("#f0f3f8") })
#show heading.where(level: 1): it => block(above: 0pt, below: 20pt, text(20pt, it.body))
#show heading.where(level: 2): it => block(above: 22pt, below: 12pt, text(14pt, fill: rgb("#2457C5"), it.body))
#show heading.where(level: 3): it => block(above: 16pt, below: 10pt, text(11.5pt, it.body))
#show table.cell: set text(9pt)
#show raw: set text(9pt, font: "Noto Sans JP")
#show raw.where(block: true): it => block(fill: luma(244), inset: 8pt, radius: 3pt, width: 100%, it)
#show link: set text(fill: rgb("#2457C5"))
`

function typstOf(markdown: string): string {
  const tokens = lexer(markdown)
  const title = tokens.findIndex(token => token.type === 'heading')
  const body = tokens.map(block)
  body.splice(title + 1, 0, '#outline(title: [目次], depth: 3, indent: 1em)\n#pagebreak()\n')
  return STYLE + body.join('')
}

function block(token: Token): string {
  switch (token.type) {
    case 'heading':
      return `${'='.repeat(token.depth)} ${inline(token.tokens)}\n\n`
    case 'paragraph':
      return `${inline(token.tokens)}\n\n`
    case 'text':
      return `${token.tokens ? inline(token.tokens) : plain(token.text)}\n`
    case 'list':
      return `${list(token as Tokens.List)}\n`
    case 'table':
      return table(token as Tokens.Table)
    case 'code':
      return `#raw(block: true, ${JSON.stringify(token.text)})\n\n`
    case 'blockquote':
      return `#block(inset: (left: 10pt), stroke: (left: 2pt + rgb("#2457C5")))[${(token.tokens ?? []).map(block).join('')}]\n\n`
    case 'space':
      return '\n'
    default:
      throw new Error(`the PDF of the manual does not know Markdown's ${token.type}`)
  }
}

function list({ ordered, items }: Tokens.List): string {
  const entries = items.map(item => `[${item.tokens.map(block).join('').trim()}]`)
  return `#${ordered ? 'enum' : 'list'}(${entries.join(', ')})\n`
}

function table({ header, rows }: Tokens.Table): string {
  const cells = (row: readonly Tokens.TableCell[]) => row.map(cell => `[${inline(cell.tokens)}]`).join(', ')
  // The last column, which holds the explanations, takes the remaining width.
  const columns = [...header.slice(1).map(() => 'auto'), '1fr'].join(', ')
  const body = rows.map(row => `  ${cells(row)},\n`).join('')
  return `#table(columns: (${columns},),\n  table.header(${header.map(cell => `[*${inline(cell.tokens)}*]`).join(', ')}),\n${body})\n\n`
}

function inline(tokens: readonly Token[] = []): string {
  return tokens.map(one).join('')
}

function one(token: Token): string {
  switch (token.type) {
    case 'text':
    case 'escape':
      return 'tokens' in token && token.tokens ? inline(token.tokens) : plain(token.text)
    case 'strong':
      return `#strong[${inline(token.tokens)}]`
    case 'em':
      return `#emph[${inline(token.tokens)}]`
    case 'codespan':
      return `#raw(${JSON.stringify(token.text)})`
    case 'br':
      return ' \\\n'
    case 'image':
      return `#figure(image(${JSON.stringify(token.href)}, width: 100%), caption: [${plain(token.text)}], supplement: none, numbering: none)`
    case 'link':
      // Links to other pages of the manual have no address in a printed document.
      return /^https?:/.test(token.href)
        ? `#link(${JSON.stringify(token.href)})[${inline(token.tokens)}]`
        : inline(token.tokens)
    default:
      throw new Error(`the PDF of the manual does not know Markdown's ${token.type}`)
  }
}

/** Text without markup; a line break between Japanese characters is no space. */
function plain(text: string): string {
  return text
    .replace(/(?<=[\u3000-\u9fff\uff00-\uffef])\n(?=[\u3000-\u9fff\uff00-\uffef])/g, '')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name] ?? "'")
    .replace(/[\\#$*_`<>@~=[\]/+-]/g, '\\$&')
}
