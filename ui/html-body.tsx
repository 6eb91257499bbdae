import { ALLOWED_TAGS, LINK_REL } from '@pc/domain/text/html-allow-list.ts'
import DOMPurify from 'dompurify'
import { useLayoutEffect, useRef } from 'react'

const ALLOWED_ATTR = ['href', 'colspan', 'rowspan', 'scope']

/** HTML that a person wrote, cleaned again here although the server cleaned it: every reader's browser depends on it. */
export function HtmlBody({ html, className }: { html: string; className?: string }) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const clean = DOMPurify.sanitize(html, {
      ALLOWED_TAGS: [...ALLOWED_TAGS],
      ALLOWED_ATTR,
      ALLOW_DATA_ATTR: false,
      ALLOW_ARIA_ATTR: false,
      ALLOWED_URI_REGEXP: /^(?:https?:\/\/|mailto:|\/(?![/\\])|#)/i,
      RETURN_DOM_FRAGMENT: true,
    })
    for (const link of clean.querySelectorAll('a[href]')) {
      link.setAttribute('rel', LINK_REL)
      link.setAttribute('target', '_blank')
    }
    place.current?.replaceChildren(clean)
  }, [html])
  return <div ref={place} className={className} />
}
