/**
 * The beginning of a cell that a spreadsheet runs as a formula (CSV injection): `=`, `+`, `-`, `@`, `|`, `%`, a tab or a
 * line break, in half or full width, also after blanks and invisible characters.
 */
const FORMULA_START = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@|%＝＋－＠−])/u

/**
 * A text that stays text in a spreadsheet: what would run as a formula gets a leading apostrophe. So does what already
 * looks like that, so that {@link fromFormulaSafe} can restore every text.
 * Tested by `ui/data/csv.test.ts`.
 */
export function formulaSafe(text: string): string {
  return FORMULA_START.test(text.replace(/^'+/, '')) ? `'${text}` : text
}

/** The original text of {@link formulaSafe}. */
export function fromFormulaSafe(text: string): string {
  return text.startsWith("'") && FORMULA_START.test(text.replace(/^'+/, '')) ? text.slice(1) : text
}

/** One cell of comma-separated values (RFC 4180), formula-safe and quoted where necessary. */
export function csvText(text: string): string {
  const safe = formulaSafe(text)
  return /[",\r\n;]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
