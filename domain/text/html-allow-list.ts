/**
 * What the body of an announcement may consist of (security, threat 13). The server keeps nothing else at saving and at
 * reading, and the browser checks it again: no style, no class, no form, no picture from elsewhere, no script.
 */
export const ALLOWED_TAGS = [
  'p',
  'br',
  'hr',
  'h2',
  'h3',
  'h4',
  'ul',
  'ol',
  'li',
  'blockquote',
  'pre',
  'code',
  'strong',
  'b',
  'em',
  'i',
  'u',
  's',
  'sub',
  'sup',
  'a',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
] as const

/** Elements whose content is no text for people: it goes together with them. */
export const DROPPED_WITH_CONTENT = [
  'script',
  'style',
  'template',
  'noscript',
  'noembed',
  'noframes',
  'iframe',
  'frame',
  'frameset',
  'object',
  'embed',
  'applet',
  'svg',
  'math',
  'title',
  'textarea',
  'select',
  'xmp',
  'plaintext',
  'audio',
  'video',
  'canvas',
  'head',
  'button',
  'datalist',
  'dialog',
  'map',
  'portal',
  'fencedframe',
] as const

/** Of attributes, only where a link leads; what else a link carries is written by us. */
export const ALLOWED_ATTRIBUTES = ['href'] as const

/** Links lead to pages, with no name and password before the host, or to a mail program, and nowhere else. */
export const ALLOWED_LINK = /^(?:https?:\/\/(?![^/?#\\]*@)|mailto:)/i

/** A page opened by a link learns nothing of ours and cannot reach back. */
export const LINK_REL = 'noopener noreferrer nofollow'
