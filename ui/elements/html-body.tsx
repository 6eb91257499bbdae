import { useLayoutEffect, useRef } from 'react'
import { cleanHtml } from './clean-html.ts'

/**
 * HTML written by a person. It is sanitised again here, although the server does so too, because it runs in every
 * reader's browser.
 */
export function HtmlBody({ html, className }: { html: string; className?: string }) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => place.current?.replaceChildren(cleanHtml(html)), [html])
  return <div ref={place} className={className} />
}
