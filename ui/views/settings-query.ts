import type { ScreenSettingsQueryVariables } from './screen-settings.gen.ts'

export const columnsKey = (table: string) => `columns/${table}`
export const defaultViewKey = (screen: string) => `default-view/${screen}`

export function settingsVariables(screen: string, tables: readonly string[]): ScreenSettingsQueryVariables {
  return { keys: [...tables.map(columnsKey), defaultViewKey(screen)], screen }
}
