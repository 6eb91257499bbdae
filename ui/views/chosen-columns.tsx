import { IconColumns3 } from '@tabler/icons-react'
import { type ReactNode, Suspense } from 'react'
import { Button } from '../elements/button.tsx'
import { lazyPart } from '../routing/lazy-part.tsx'
import type { Column } from '../table/column.ts'
import { useScreenSettings } from './screen-settings.ts'

/** A column that a person may show or hide. The heading column is always shown. */
export interface OptionalColumn<Row> extends Column<Row> {
  /** What the column means, as the list of columns explains it. */
  readonly definition: string
  /** Shown to a person who has chosen nothing. */
  readonly isDefault?: boolean
}

interface ChosenColumns<Row> {
  readonly columns: readonly Column<Row>[]
  /** False until the person's choice is known. */
  readonly isKnown: boolean
  readonly chooser: ReactNode
}

const SavingColumnChooser = lazyPart(async () => (await import('./saving-column-chooser.tsx')).SavingColumnChooser)

/**
 * The columns that a table shows out of many, stored on the server for each person. Stored columns that are gone are left out; where
 * none is left, the default ones are shown.
 * @param table key of the stored choice, for example `payments-by-agreement`
 */
export function useChosenColumns<Row>(table: string, all: readonly OptionalColumn<Row>[]): ChosenColumns<Row> {
  const settings = useScreenSettings(table, [table])
  const isFixed = (column: OptionalColumn<Row>) => column.isHeading === true
  const kept = [...new Set(settings.columnsOf(table) ?? [])]
  const chosen = kept.flatMap(id => all.filter(column => column.id === id && !isFixed(column)))
  const shown = chosen.length > 0 ? chosen : all.filter(column => column.isDefault && !isFixed(column))
  return {
    columns: [...all.filter(isFixed), ...shown],
    isKnown: settings.isKnown,
    chooser: (
      <Suspense
        fallback={
          <Button icon={<IconColumns3 size={16} aria-hidden />} disabled>
            表示項目
          </Button>
        }
      >
        <SavingColumnChooser
          settings={settings}
          table={table}
          columns={all.map(column => ({
            id: column.id,
            label: column.header,
            definition: column.definition,
            isFixed: isFixed(column),
          }))}
          shown={shown.map(column => column.id)}
        />
      </Suspense>
    ),
  }
}
