/** Formats a table. The first `texts` columns are left-aligned texts, the others right-aligned numbers. */
export function printTable(lines: readonly (readonly string[])[], texts: number): string {
  const columns = Math.max(...lines.map(line => line.length))
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...lines.map(line => line[column]?.length ?? 0)),
  )
  return lines
    .map(line =>
      line
        .map((cell, column) => (column < texts ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
