/** Stands for rows that are not drawn. The style sheet, the bench and tests find it by `data-spacer`. */
export function Spacer({ columnCount, height }: { columnCount: number; height: number }) {
  if (height <= 0) return null
  return (
    <tr aria-hidden data-spacer>
      <td colSpan={columnCount} style={{ height }} />
    </tr>
  )
}
