import { useApolloClient, useQuery } from '@apollo/client/react'
import { useState } from 'react'
import {
  DeleteSavedViewDocument,
  RestoreSavedViewDocument,
  type SavedViewInput,
  type SavedViewPartsFragment,
  SavePreferenceDocument,
  SaveViewDocument,
  ScreenSettingsDocument,
} from './screen-settings.gen.ts'

export type SavedView = SavedViewPartsFragment

export interface ScreenSettings {
  /** False until the server has answered, or failed to: a screen waits for it, so that its table does not jump. */
  readonly isKnown: boolean
  readonly views: readonly SavedView[]
  readonly defaultViewId: string | undefined
  /** What the person has chosen for a table; undefined: nothing. */
  columnsOf(table: string): readonly string[] | undefined
  saveColumns(table: string, ids: readonly string[] | undefined): Promise<void>
  saveDefaultView(id: string | undefined): Promise<void>
  /** Undefined: it could not be saved, which has been said. */
  saveView(input: Omit<SavedViewInput, 'screen'>): Promise<SavedView | undefined>
  deleteView(id: string): Promise<boolean>
  restoreView(id: string): Promise<void>
}

const columnsKey = (table: string) => `columns/${table}`
const defaultViewKey = (screen: string) => `default-view/${screen}`

/** What the signed-in person has chosen for a screen, kept on the server. */
export function useScreenSettings(screen: string, tables: readonly string[]): ScreenSettings {
  const client = useApolloClient()
  const keys = [...tables.map(columnsKey), defaultViewKey(screen)]
  const query = useQuery(ScreenSettingsDocument, { variables: { keys, screen } })
  // A choice shows at once; what the server says afterwards is the same.
  const [chosen, setChosen] = useState<ReadonlyMap<string, string | undefined>>(new Map())
  const data = query.data ?? query.previousData
  const jsonOf = (key: string) =>
    chosen.has(key) ? chosen.get(key) : data?.preferences?.find(preference => preference?.key === key)?.value
  const save = async (key: string, value: string | undefined) => {
    const before = jsonOf(key)
    setChosen(new Map(chosen).set(key, value))
    const variables = { key, ...(value === undefined ? {} : { value }) }
    const { error } = await client.mutate({ mutation: SavePreferenceDocument, variables, errorPolicy: 'all' })
    // The reason has been shown; what is shown is what is kept.
    if (error) setChosen(new Map(chosen).set(key, before))
  }
  return {
    isKnown: !query.loading || data !== undefined,
    views: data?.savedViews ?? [],
    defaultViewId: readText(jsonOf(defaultViewKey(screen))),
    columnsOf: table => readTexts(jsonOf(columnsKey(table))),
    saveColumns: (table, ids) => save(columnsKey(table), ids && JSON.stringify(ids)),
    saveDefaultView: id => save(defaultViewKey(screen), id === undefined ? undefined : JSON.stringify(id)),
    async saveView(input) {
      const { data: saved } = await client.mutate({
        mutation: SaveViewDocument,
        variables: { input: { screen, ...input }, idempotencyKey: crypto.randomUUID() },
        errorPolicy: 'all',
      })
      if (saved?.saveView) await query.refetch()
      return saved?.saveView ?? undefined
    },
    async deleteView(id) {
      const { data: gone } = await client.mutate({
        mutation: DeleteSavedViewDocument,
        variables: { id },
        errorPolicy: 'all',
      })
      if (!gone?.deleteSavedView) return false
      await query.refetch()
      return true
    },
    async restoreView(id) {
      await client.mutate({ mutation: RestoreSavedViewDocument, variables: { id }, errorPolicy: 'all' })
      await query.refetch()
    },
  }
}

function read(json: string | undefined): unknown {
  if (json === undefined) return undefined
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function readText(json: string | undefined): string | undefined {
  const value = read(json)
  return typeof value === 'string' ? value : undefined
}

function readTexts(json: string | undefined): readonly string[] | undefined {
  const value = read(json)
  return Array.isArray(value) ? value.filter(one => typeof one === 'string') : undefined
}
