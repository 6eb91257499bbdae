import type { ChartMark } from '@pc/ui/chart/chart-marks.tsx'

interface DatedNote {
  readonly id: string
  readonly startsOn: string
  readonly endsOn: string
  readonly text: string
}

/**
 * The positions of notes on a chart. Points are periods in ascending order; a note that begins before the first or ends
 * after the last one is cut there. Numbers match the list below the chart.
 */
export function noteMarks(notes: readonly DatedNote[], points: readonly { readonly key: string }[]): ChartMark[] {
  if (points.length === 0) return []
  const indexOf = (day: string) =>
    Math.max(
      0,
      points.findLastIndex(point => point.key <= day),
    )
  return notes.map((note, at) => ({
    key: note.id,
    number: at + 1,
    from: indexOf(note.startsOn),
    to: indexOf(note.endsOn),
    text: note.text,
  }))
}
