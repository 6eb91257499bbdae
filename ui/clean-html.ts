import { ALLOWED_TAGS, LINK_REL } from '@pc/domain/text/html-allow-list.ts'
import DOMPurify from 'dompurify'

const ALLOWED_ATTR = ['href', 'colspan', 'rowspan', 'scope']

/** What the allow-list leaves of HTML, as elements: never as a text that would have to be parsed again. */
export function cleanHtml(html: string): DocumentFragment {
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
  return clean
}
