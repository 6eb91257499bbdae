/**
 * Cuts a text after `length` characters (not code units) and appends an ellipsis. For texts inside a sentence; where a
 * column sets the width, CSS cuts them.
 */
export function truncate(text: string, length: number): string {
  const characters = Array.from(text)
  return characters.length <= length ? text : `${characters.slice(0, length).join('')}…`
}
