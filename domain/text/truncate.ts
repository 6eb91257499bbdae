/**
 * Cuts after `length` characters, not code units, and ends with an ellipsis. For texts inside
 * a sentence; where a column sets the width, CSS does it.
 */
export function truncate(text: string, length: number): string {
  const characters = Array.from(text)
  return characters.length <= length ? text : `${characters.slice(0, length).join('')}…`
}
