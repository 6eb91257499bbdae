import type { Mail } from './send-mail.ts'

/** What a mail says, without its form. Paragraphs are plain text; line breaks inside of them are kept. */
export interface Letter {
  readonly to: string
  readonly subject: string
  readonly paragraphs: readonly string[]
  /** A link that stands by itself; the address is ours. */
  readonly action?: { readonly label: string; readonly url: string } | undefined
}

const CLOSING = [
  'このメールは Publisher Center から自動で送信しています。返信はお受けできません。',
  'お心当たりのない場合は、このメールを破棄してください。',
]

/** One letter as plain text and as simple HTML without images, styles from outside or scripts. */
export function writeLetter(letter: Letter): Mail {
  const { to, subject, paragraphs, action } = letter
  const link = action && new URL(action.url)
  if (link && !/^https?:$/.test(link.protocol)) throw new TypeError('a letter links to http(s) only')
  const text = [
    ...paragraphs,
    ...(action && link ? [`${action.label}\n${link.href}`] : []),
    `--\n${CLOSING.join('\n')}`,
  ].join('\n\n')
  const body = [
    ...paragraphs.map(paragraph => `<p>${markup(paragraph)}</p>`),
    ...(action && link
      ? [`<p><a href="${markup(link.href)}">${markup(action.label)}</a><br>${markup(link.href)}</p>`]
      : []),
    `<hr><p style="color:#555">${CLOSING.map(markup).join('<br>')}</p>`,
  ].join('\n')
  const html = `<!doctype html>
<html lang="ja"><head><meta charset="utf-8"><title>${markup(subject)}</title></head>
<body style="font-family:sans-serif;line-height:1.7;max-width:40em">
${body}
</body></html>`
  return { to, subject, text, html }
}

function markup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '<br>')
}
