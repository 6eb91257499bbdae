/** Rows as one parameter for `jsonb_to_recordset`: whole numbers as text, which no JSON number could hold exactly. */
export function jsonRows(rows: readonly object[]): string {
  return JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
}
