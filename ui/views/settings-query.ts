import type { ScreenQuery } from '../routing/define-route.ts'
import { ScreenSettingsDocument, type ScreenSettingsQueryVariables } from './screen-settings.gen.ts'

export const columnsKey = (table: string) => `columns/${table}`
export const defaultViewKey = (screen: string) => `default-view/${screen}`

export function settingsVariables(screen: string, tables: readonly string[]): ScreenSettingsQueryVariables {
  return { keys: [...tables.map(columnsKey), defaultViewKey(screen)], screen }
}

/** For screens whose tables wait for what the person has chosen: asked together with the screen's own query. */
export function settingsQuery(screen: string, tables: readonly string[]): ScreenQuery {
  return {
    document: ScreenSettingsDocument as ScreenQuery['document'],
    variables: () => ({ ...settingsVariables(screen, tables) }),
  }
}
