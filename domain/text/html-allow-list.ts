/**
 * Elements allowed in the body of an announcement, against stored cross-site scripting: no style, class, form, external
 * picture or script. The server removes everything else when it saves and when it reads, and the browser checks again.
 * Tested by `platform/html/safe-html.test.ts`.
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

/** Elements that are removed together with their content, which is not text for people. */
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

/** The only allowed attribute is the target of a link; its other attributes are written by us. */
export const ALLOWED_ATTRIBUTES = ['href'] as const

/** Links lead to web pages, without user name or password before the host, or to a mail program. */
export const ALLOWED_LINK = /^(?:https?:\/\/(?![^/?#\\]*@)|mailto:)/i

/** The opened page learns nothing of ours and cannot access our window. */
export const LINK_REL = 'noopener noreferrer nofollow'
