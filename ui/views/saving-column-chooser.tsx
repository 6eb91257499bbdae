import { ColumnChooser } from '../table/column-chooser.tsx'
import type { ChoosableColumn } from '../table/column-dialog.tsx'
import { useScreenChanges } from './screen-changes.ts'
import type { ScreenSettings } from './screen-settings.ts'

interface SavingColumnChooserProps {
  settings: ScreenSettings
  table: string
  columns: readonly ChoosableColumn[]
  shown: readonly string[]
}

/** Loaded after the table (`useChosenColumns`): saving needs GraphQL mutations that the first paint does without. */
export function SavingColumnChooser({ settings, table, columns, shown }: SavingColumnChooserProps) {
  const changes = useScreenChanges(settings)
  return <ColumnChooser columns={columns} shown={shown} onChange={ids => void changes.saveColumns(table, ids)} />
}
