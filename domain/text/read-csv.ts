export interface CsvRecord {
  /** Number of the record as a spreadsheet counts it: from 1, empty records included. */
  readonly number: number
  readonly cells: readonly string[]
}

/** Reads comma-separated values with quotes. Empty lines are skipped. */
export function readCsv(text: string): readonly (readonly string[])[] {
  return readCsvRecords(text).records.map(({ cells }) => cells)
}

/** Like {@link readCsv}, with the number of each record. `openQuoteAt`: the record whose last quote is never closed. */
export function readCsvRecords(text: string): {
  readonly records: readonly CsvRecord[]
  readonly openQuoteAt: number | undefined
} {
  const records: CsvRecord[] = []
  let number = 1
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  const endCell = () => {
    row.push(cell)
    cell = ''
  }
  const endRow = () => {
    endCell()
    if (row.some(each => each.trim() !== '')) records.push({ number, cells: row })
    row = []
    number += 1
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
  const openQuoteAt = isQuoted ? number : undefined
  endRow()
  return { records, openQuoteAt }
}
