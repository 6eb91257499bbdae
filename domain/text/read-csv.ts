/** Comma-separated values with quotes; empty lines are skipped. */
export function readCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  const endCell = () => {
    row.push(cell)
    cell = ''
  }
  const endRow = () => {
    endCell()
    if (row.some(each => each.trim() !== '')) rows.push(row)
    row = []
  }
  const content = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n')
  for (let index = 0; index < content.length; index += 1) {
    const character = content[index]!
    if (isQuoted && character === '"' && content[index + 1] === '"') {
      cell += '"'
      index += 1
    } else if (character === '"') isQuoted = !isQuoted
    else if (isQuoted) cell += character
    else if (character === ',') endCell()
    else if (character === '\n') endRow()
    else cell += character
  }
  endRow()
  return rows
}
