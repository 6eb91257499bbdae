import { ColumnChooser } from '../table/column-chooser.tsx'
import type { ChoosableColumn } from '../table/column-dialog.tsx'
import { useSaveScreenSettings } from './save-screen-settings.ts'
import type { ScreenSettings } from './screen-settings.ts'

interface SavingColumnChooserProps {
  settings: ScreenSettings
  table: string
  columns: readonly ChoosableColumn[]
  shown: readonly string[]
}

/** Loaded after the table (`useChosenColumns`): saving needs GraphQL mutations that the first paint does without. */
export function SavingColumnChooser({ settings, table, columns, shown }: SavingColumnChooserProps) {
  const changes = useSaveScreenSettings(settings)
  return <ColumnChooser columns={columns} shown={shown} onChange={ids => void changes.saveColumns(table, ids)} />
}
