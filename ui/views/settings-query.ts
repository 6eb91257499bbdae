import type { ScreenSettingsQueryVariables } from './screen-settings.gen.ts'

export const columnsKey = (table: string) => `columns/${table}`
export const defaultViewKey = (screen: string) => `default-view/${screen}`

/** What a screen reads of a person's settings: the columns of its tables, its default view and its saved views. */
export function settingsVariables(screen: string, tables: readonly string[]): ScreenSettingsQueryVariables {
  return { keys: [...tables.map(columnsKey), defaultViewKey(screen)], screen }
}
