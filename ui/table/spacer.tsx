/**
 * An empty row as high as the rows that are not rendered. Style sheet, benchmark and tests find it by `data-spacer`.
 */
export function Spacer({ columnCount, height }: { columnCount: number; height: number }) {
  if (height <= 0) return null
  return (
    <tr aria-hidden data-spacer>
      <td colSpan={columnCount} style={{ height }} />
    </tr>
  )
}
