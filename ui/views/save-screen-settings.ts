import { useApolloClient } from '@apollo/client/react'
import { useEffect, useRef } from 'react'
import { useLatest } from '../data/use-latest.ts'
import { refusalsOf } from '../form/refused-fields.ts'
import {
  DeleteSavedViewDocument,
  RestoreSavedViewDocument,
  type SavedViewInput,
  SavePreferenceDocument,
  SaveViewDocument,
} from './save-screen-settings.gen.ts'
import type { SavedView, ScreenSettings } from './screen-settings.ts'
import { columnsKey, defaultViewKey } from './settings-query.ts'

export interface ScreenSettingsSaver {
  saveColumns(table: string, ids: readonly string[] | undefined): Promise<void>
  saveDefaultView(id: string | undefined): Promise<void>
  /** Undefined: saving failed, and the error has been shown. */
  saveView(input: Omit<SavedViewInput, 'screen'>): Promise<SavedView | undefined>
  deleteView(id: string): Promise<boolean>
  restoreView(id: string): Promise<void>
}

/** Channel to other tabs of the same browser. */
const CHANNEL = 'publisher-center-settings'
type Change = { readonly key: string; readonly value: string | undefined } | { readonly viewsOf: string }

/**
 * Shows a choice of one tab in the others. A list of columns is stored whole, so the next choice here would otherwise
 * overwrite the one made there.
 * @returns a function that notifies the other tabs
 */
function useOtherTabs({ screen, choose, reload }: ScreenSettings): (change: Change) => void {
  const channel = useRef<BroadcastChannel>(undefined)
  const hear = useLatest((change: Change) => {
    if ('key' in change) choose(change.key, change.value)
    else if (change.viewsOf === screen) void reload()
  })
  useEffect(() => {
    const tabs = new BroadcastChannel(CHANNEL)
    tabs.onmessage = ({ data }: MessageEvent<Change>) => hear(data)
    channel.current = tabs
    return () => tabs.close()
  }, [hear])
  return change => channel.current?.postMessage(change)
}

/**
 * Stores on the server what a person chooses for a screen. Separate from the settings, because no report needs it to
 * render.
 * Tested by `features/reports/core/web/report-tools.browser.test.tsx`.
 */
export function useSaveScreenSettings(settings: ScreenSettings): ScreenSettingsSaver {
  const client = useApolloClient()
  const { screen, choose, reload } = settings
  const announce = useOtherTabs(settings)
  const changedViews = async () => {
    announce({ viewsOf: screen })
    await reload()
  }
  const save = async (key: string, value: string | undefined, { isCompared = false } = {}) => {
    // Shown at once; `choose` returns the choice before.
    const before = choose(key, value)
    const variables = {
      key,
      ...(value === undefined ? {} : { value }),
      ...(isCompared ? { expectedValue: before ?? null } : {}),
    }
    const { error } = await client.mutate({ mutation: SavePreferenceDocument, variables, errorPolicy: 'all' })
    const elsewhere = refusalsOf(error).find(({ code }) => code === 'preference/changed-elsewhere')
    // The refusal says what is stored; an empty text: nothing is.
    const kept = elsewhere ? String(elsewhere.data.value) || undefined : error ? before : value
    // The error has been shown; the screen goes back to the stored choice.
    if (error) choose(key, kept)
    if (!error || elsewhere) announce({ key, value: kept })
  }
  return {
    // Compared with the stored value, because another machine may have changed it; other tabs of this browser are
    // notified.
    saveColumns: (table, ids) => save(columnsKey(table), ids && JSON.stringify(ids), { isCompared: true }),
    saveDefaultView: id => save(defaultViewKey(screen), id === undefined ? undefined : JSON.stringify(id)),
    async saveView(input) {
      const { data: saved } = await client.mutate({
        mutation: SaveViewDocument,
        variables: { input: { screen, ...input }, idempotencyKey: crypto.randomUUID() },
        errorPolicy: 'all',
      })
      if (saved?.saveView) await changedViews()
      return saved?.saveView ?? undefined
    },
    async deleteView(id) {
      const { data: gone } = await client.mutate({
        mutation: DeleteSavedViewDocument,
        variables: { id },
        errorPolicy: 'all',
      })
      if (!gone?.deleteSavedView) return false
      await changedViews()
      return true
    },
    async restoreView(id) {
      await client.mutate({ mutation: RestoreSavedViewDocument, variables: { id }, errorPolicy: 'all' })
      await changedViews()
    },
  }
}
