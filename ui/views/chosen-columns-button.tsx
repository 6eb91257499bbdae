import { ColumnChooser } from '../table/column-chooser.tsx'
import type { ChoosableColumn } from '../table/column-dialog.tsx'
import { useScreenChanges } from './screen-changes.ts'
import type { ScreenSettings } from './screen-settings.ts'

interface ChosenColumnsButtonProps {
  settings: ScreenSettings
  table: string
  columns: readonly ChoosableColumn[]
  shown: readonly string[]
}

/** In a module of its own, because the table renders before it is needed. */
export function ChosenColumnsButton({ settings, table, columns, shown }: ChosenColumnsButtonProps) {
  const changes = useScreenChanges(settings)
  return <ColumnChooser columns={columns} shown={shown} onChange={ids => void changes.saveColumns(table, ids)} />
}
