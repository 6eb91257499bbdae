import type { FeedFinding } from '@pc/domain/feed/feed-finding.ts'

export interface DecodedFeed {
  readonly text: string
  /** The name that TextDecoder uses. */
  readonly encoding: string
  readonly findings: readonly FeedFinding[]
}

/** Encoding names that feeds use but the Encoding Standard does not define. */
const SEARCH_ALIASES: Readonly<Record<string, string>> = {
  cp932: 'shift_jis',
  'x-ms-cp932': 'shift_jis',
  'windows-932': 'shift_jis',
  cp51932: 'euc-jp',
  'eucjp-ms': 'euc-jp',
  'x-euc-jp-ms': 'euc-jp',
  eucjp: 'euc-jp',
  utf8: 'utf-8',
  utf16: 'utf-16',
  u16: 'utf-16',
  utf_16: 'utf-16',
  utf_8: 'utf-8',
  'iso8859-1': 'iso-8859-1',
}

/**
 * Decodes a feed. By RFC 7303 a byte order mark takes precedence over the HTTP charset, and that over the XML declaration;
 * the default is UTF-8. Bytes that do not fit are tried as UTF-8, EUC-JP and Shift_JIS; only if none fits completely,
 * characters are replaced, with a finding.
 * Tested by `features/feeds/server/read-feed.test.ts`.
 */
export function decodeFeed(bytes: Uint8Array, contentType: string): DecodedFeed {
  const marked = byUtf32(bytes) ?? byMark(bytes)
  if (marked) return { ...marked, findings: marked.isExact ? [] : [replaced(marked.encoding)] }
  const declared = charsetOf(contentType) ?? declarationOf(bytes)
  const declaredEncoding = declared === undefined ? undefined : knownEncoding(declared)
  const findings: FeedFinding[] = []
  if (declared !== undefined && declaredEncoding === undefined)
    findings.push({ severity: 'warning', line: 1, code: 'encoding-unknown', data: { declared: declared.slice(0, 40) } })
  // Every byte fits windows-1252 (also the result for us-ascii and iso-8859-1), so valid UTF-8 is preferred to it.
  const first = declaredEncoding === 'windows-1252' ? ['utf-8', declaredEncoding] : [declaredEncoding, 'utf-8']
  const candidates = [...new Set([...first, 'euc-jp', 'shift_jis'])].filter(one => one !== undefined)
  for (const encoding of candidates) {
    const text = exactly(bytes, encoding)
    if (text === undefined) continue
    if (declaredEncoding !== undefined && encoding !== declaredEncoding && /\P{ASCII}/u.test(text)) {
      const data = { declared: declaredEncoding, actual: encoding }
      findings.push({ severity: 'warning', line: 1, code: 'encoding-mismatch', data })
    }
    return { text, encoding, findings }
  }
  const encoding = declaredEncoding ?? 'utf-8'
  return { text: new TextDecoder(encoding).decode(bytes), encoding, findings: [...findings, replaced(encoding)] }
}

function replaced(encoding: string): FeedFinding {
  return { severity: 'warning', line: 1, code: 'text-replaced', data: { encoding } }
}

function byMark(bytes: Uint8Array): { text: string; encoding: string; isExact: boolean } | undefined {
  const [a, b, c, d] = bytes
  const encoding =
    a === 0xef && b === 0xbb && c === 0xbf
      ? 'utf-8'
      : (a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c && c === 0 && d === 0x3f)
        ? 'utf-16be'
        : (a === 0xff && b === 0xfe) || (a === 0x3c && b === 0 && c === 0x3f && d === 0)
          ? 'utf-16le'
          : undefined
  if (encoding === undefined) return undefined
  const text = exactly(bytes, encoding)
  return { text: text ?? new TextDecoder(encoding).decode(bytes), encoding, isExact: text !== undefined }
}

/** Decodes UTF-32, which a few feeds use and TextDecoder does not support. */
function byUtf32(bytes: Uint8Array): { text: string; encoding: string; isExact: boolean } | undefined {
  const [a, b, c, d] = bytes
  const isBig = a === 0 && b === 0 && ((c === 0xfe && d === 0xff) || (c === 0 && d === 0x3c))
  const isLittle = c === 0 && d === 0 && ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0))
  if (!isBig && !isLittle) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let text = ''
  let isExact = bytes.byteLength % 4 === 0
  for (let at = 0; at + 4 <= bytes.byteLength; at += 4) {
    const point = view.getUint32(at, isLittle)
    const isCharacter = point <= 0x10ffff && (point < 0xd800 || point > 0xdfff)
    isExact &&= isCharacter
    text += isCharacter ? String.fromCodePoint(point) : '\u{fffd}'
  }
  return { text: text.replace(/^\u{feff}/u, ''), encoding: isBig ? 'utf-32be' : 'utf-32le', isExact }
}

function exactly(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function charsetOf(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*["']?([^\s;"']+)/i.exec(contentType.slice(0, 1_000))?.[1]
}

function declarationOf(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1_024)).toString('latin1')
  return /<\?xml[^>]*?\sencoding\s*=\s*["']([^"']+)["']/i.exec(head)?.[1]
}

function knownEncoding(name: string): string | undefined {
  const lowered = name.trim().toLowerCase()
  const label = SEARCH_ALIASES[lowered] ?? lowered
  try {
    const { encoding } = new TextDecoder(label)
    // The declaration was read as single bytes, so the text cannot be UTF-16.
    return encoding.startsWith('utf-16') ? 'utf-8' : encoding
  } catch {
    return undefined
  }
}
