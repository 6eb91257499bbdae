import { useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { type SavedViewPartsFragment, ScreenSettingsDocument } from './screen-settings.gen.ts'
import { columnsKey, defaultViewKey, settingsVariables } from './settings-query.ts'

export type SavedView = SavedViewPartsFragment

export interface ScreenSettings {
  readonly screen: string
  /**
   * False until the server has answered or failed. A screen waits for it, so that its table does not change after the
   * first paint.
   */
  readonly isKnown: boolean
  readonly views: readonly SavedView[]
  readonly defaultViewId: string | undefined
  /** The person's choice for a table; undefined: none. */
  columnsOf(table: string): readonly string[] | undefined
  /**
   * Shows a choice before the server has stored it.
   * @returns what was shown before
   */
  choose(key: string, json: string | undefined): string | undefined
  /** Fetches the views again after a change on the server. */
  reload(): Promise<unknown>
}

/** What the signed-in person has chosen for a screen, stored on the server. */
export function useScreenSettings(screen: string, tables: readonly string[]): ScreenSettings {
  const variables = settingsVariables(screen, tables)
  const query = useQuery(ScreenSettingsDocument, { variables })
  // A choice is shown at once; the server's answer later is the same.
  const [chosen, setChosen] = useState<ReadonlyMap<string, string | undefined>>(new Map())
  const data = query.data ?? query.previousData
  const jsonOf = (key: string) =>
    chosen.has(key) ? chosen.get(key) : data?.preferences?.find(preference => preference?.key === key)?.value
  return {
    screen,
    isKnown: !query.loading || data !== undefined,
    views: data?.savedViews ?? [],
    defaultViewId: readText(jsonOf(defaultViewKey(screen))),
    columnsOf: table => readTexts(jsonOf(columnsKey(table))),
    choose(key, json) {
      setChosen(now => new Map(now).set(key, json))
      return jsonOf(key)
    },
    reload: () => query.refetch(),
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
