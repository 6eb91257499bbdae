import { useLayoutEffect, useRef } from 'react'
import { cleanHtml } from './clean-html.ts'

/** HTML that a person wrote, cleaned again here although the server cleaned it: every reader's browser depends on it. */
export function HtmlBody({ html, className }: { html: string; className?: string }) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => place.current?.replaceChildren(cleanHtml(html)), [html])
  return <div ref={place} className={className} />
}
