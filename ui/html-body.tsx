import DOMPurify from 'dompurify'
import { useLayoutEffect, useRef } from 'react'

/** Formatting and links only: no style, no form, no frame, no picture from elsewhere. */
const ALLOWED_TAGS = [
  ...['p', 'br', 'hr', 'b', 'strong', 'i', 'em', 'u', 's', 'ul', 'ol', 'li', 'blockquote', 'code', 'pre', 'a'],
  ...['h1', 'h2', 'h3', 'h4', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'span', 'div'],
]
const ALLOWED_ATTR = ['href', 'target', 'rel', 'colspan', 'rowspan', 'scope']

/** HTML that a person wrote, cleaned again here although the server cleaned it: every reader's browser depends on it. */
export function HtmlBody({ html, className }: { html: string; className?: string }) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const clean = DOMPurify.sanitize(html, {
      ALLOWED_TAGS,
      ALLOWED_ATTR,
      ALLOW_DATA_ATTR: false,
      ALLOW_ARIA_ATTR: false,
      ALLOWED_URI_REGEXP: /^(?:https?:\/\/|mailto:|\/(?![/\\])|#)/i,
      RETURN_DOM_FRAGMENT: true,
    })
    for (const link of clean.querySelectorAll('a[href]')) {
      link.setAttribute('rel', 'noopener noreferrer')
      link.setAttribute('target', '_blank')
    }
    place.current?.replaceChildren(clean)
  }, [html])
  return <div ref={place} className={className} />
}
