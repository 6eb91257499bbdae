/** Stands for rows that are not drawn. */
export function Spacer({ columnCount, height }: { columnCount: number; height: number }) {
  if (height <= 0) return null
  return (
    <tr aria-hidden data-spacer>
      <td colSpan={columnCount} style={{ height }} />
    </tr>
  )
}
