/** A section of the manual in the search index (`search.json`), which `tools/manual/search.js` reads. */
export interface SearchSection {
  /** Title of the page. */
  readonly page: string
  readonly heading: string
  /** `page.html#id` */
  readonly href: string
  /** The section's paragraphs, list items and table rows, as plain text. */
  readonly blocks: readonly string[]
}

const HEADING = /^<h[1-6] id="([^"]*)">(.*?)<\/h[1-6]>/s
const END_OF_BLOCK = /<\/(?:p|li|tr|pre|figcaption|blockquote)>/g

/** Splits a page at its headings, and each section into blocks. */
export function searchSections(page: string, address: string, html: string): SearchSection[] {
  return html.split(/(?=<h[1-6] id=)/).flatMap(part => {
    const heading = HEADING.exec(part)
    if (!heading) return []
    const blocks = part
      .slice(heading[0].length)
      .replaceAll('\n', ' ')
      .replaceAll(/<\/t[hd]>|<br>/g, ' ')
      .replaceAll(END_OF_BLOCK, '\n')
      .split('\n')
      .map(plainText)
      .filter(text => text !== '')
    return [{ page, heading: plainText(heading[2] ?? ''), href: `${address}#${heading[1]}`, blocks }]
  })
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }

function plainText(html: string): string {
  return html
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => ENTITIES[name]!)
    .replaceAll(/\s+/g, ' ')
    .trim()
}
