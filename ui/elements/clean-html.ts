import { ALLOWED_ATTRIBUTES, ALLOWED_LINK, ALLOWED_TAGS, LINK_REL } from '@pc/domain/text/html-allow-list.ts'
import DOMPurify from 'dompurify'

/** The allowed part of HTML as elements, not as text that would have to be parsed again. */
export function cleanHtml(html: string): DocumentFragment {
  const clean: DocumentFragment | null = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: [...ALLOWED_TAGS],
    ALLOWED_ATTR: [...ALLOWED_ATTRIBUTES],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP: ALLOWED_LINK,
    RETURN_DOM_FRAGMENT: true,
  })
  // A frameset replaces the body, and with it everything that could be kept.
  if (clean === null) return document.createDocumentFragment()
  for (const link of clean.querySelectorAll('a[href]')) {
    link.setAttribute('rel', LINK_REL)
    link.setAttribute('target', '_blank')
  }
  return clean
}
