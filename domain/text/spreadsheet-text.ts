/**
 * What a spreadsheet runs as a formula when a cell begins with it, in half and full width, also behind blanks and
 * characters that are not seen (security, threat 28): `=`, `+`, `-`, `@`, `|`, `%`, a tab or a line break.
 */
const FORMULA_START = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@|%＝＋－＠−])/u

/**
 * A text that stays a text in a spreadsheet: what would run as a formula gets a leading apostrophe. So does what already
 * looks like that, so that {@link fromFormulaSafe} gives every text back.
 */
export function formulaSafe(text: string): string {
  return FORMULA_START.test(text.replace(/^'+/, '')) ? `'${text}` : text
}

/** The text that {@link formulaSafe} was given. */
export function fromFormulaSafe(text: string): string {
  return text.startsWith("'") && FORMULA_START.test(text.replace(/^'+/, '')) ? text.slice(1) : text
}

/** One cell of comma-separated values (RFC 4180), made harmless and quoted where it needs it. */
export function csvText(text: string): string {
  const safe = formulaSafe(text)
  return /[",\r\n;]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
