import type { Mail } from './send-mail.ts'

/** The content of an email without its layout. Paragraphs are plain text; their line breaks are kept. */
export interface Email {
  readonly to: string
  readonly subject: string
  readonly paragraphs: readonly (string | EmailTable)[]
  /** A link on its own line. Its URL must be ours. */
  readonly action?: EmailLink | undefined
  /** Another one below it. */
  readonly furtherAction?: EmailLink | undefined
  /**
   * Adds "ignore this mail if you did not ask for it". Only where another person may have entered the address by
   * mistake and nothing happens without the link. Never for news about something that was done.
   */
  readonly mayBeThrownAway?: boolean
}

interface EmailLink {
  readonly label: string
  readonly url: string
}

/** A table of plain texts. All columns but the first are right-aligned numbers. */
export interface EmailTable {
  readonly caption: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

const CLOSING = 'このメールは Publisher Center から自動で送信しています。返信はお受けできません。'
const MAY_BE_THROWN_AWAY = 'お心当たりがない場合は、このメールを破棄してください。'

/** Renders an email as plain text and as simple HTML without images, external styles or scripts. */
export function renderEmail(message: Email): Mail {
  const { to, subject, paragraphs } = message
  const closing = message.mayBeThrownAway ? [CLOSING, MAY_BE_THROWN_AWAY] : [CLOSING]
  const links = [message.action, message.furtherAction].filter(link => link !== undefined).map(checkedLink)
  const text = [
    ...paragraphs.map(part => (typeof part === 'string' ? part : tableText(part))),
    ...links.map(({ label, href }) => `${label}\n${href}`),
    `--\n${closing.join('\n')}`,
  ].join('\n\n')
  const body = [
    ...paragraphs.map(part => (typeof part === 'string' ? `<p>${markup(part)}</p>` : tableMarkup(part))),
    ...links.map(({ label, href }) => `<p><a href="${markup(href)}">${markup(label)}</a><br>${markup(href)}</p>`),
    `<hr><p style="color:#555">${closing.map(markup).join('<br>')}</p>`,
  ].join('\n')
  const html = `<!doctype html>
<html lang="ja"><head><meta charset="utf-8"><title>${markup(subject)}</title></head>
<body style="font-family:sans-serif;line-height:1.7;max-width:40em">
${body}
</body></html>`
  return { to, subject, text, html }
}

function checkedLink({ label, url }: EmailLink): { readonly label: string; readonly href: string } {
  const { protocol, href } = new URL(url)
  if (!/^https?:$/.test(protocol)) throw new TypeError('an email links to http(s) only')
  return { label, href }
}

function tableText({ caption, head, rows }: EmailTable): string {
  return [`■ ${caption}`, head.join(' / '), ...rows.map(cells => cells.join(' / '))].join('\n')
}

const CELL = 'padding:4px 10px;border-bottom:1px solid #ddd'

function tableMarkup({ caption, head, rows }: EmailTable): string {
  const cell = (tag: 'th' | 'td', text: string, at: number, scope = '') =>
    `<${tag}${scope} style="${CELL};text-align:${at === 0 ? 'left' : 'right'}">${markup(text)}</${tag}>`
  const heads = head.map((text, at) => cell('th', text, at, ' scope="col"')).join('')
  const lines = rows.map(cells => `<tr>${cells.map((text, at) => cell('td', text, at)).join('')}</tr>`)
  return `<table style="border-collapse:collapse;margin:16px 0">
<caption style="text-align:left;font-weight:bold;padding:4px 0">${markup(caption)}</caption>
<thead><tr>${heads}</tr></thead>
<tbody>${lines.join('\n')}</tbody></table>`
}

function markup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '<br>')
}
