import '@pc/ui/theme/styles.ts'
import { ApolloLink, Observable } from '@apollo/client'
import { ApolloProvider } from '@apollo/client/react'
import { makeClient } from '@pc/ui/data/client.ts'
import { ClientsProvider } from '@pc/ui/data/clients.tsx'
import type { ExportOrder } from '@pc/ui/export/export-order.ts'
import { type FileExports, FileExportsProvider } from '@pc/ui/export/file-exports.tsx'
import { Toasts } from '@pc/ui/feedback/toasts.tsx'
import type { Screen } from '@pc/ui/routing/define-route.ts'
import { refusedWith } from '@pc/ui/routing/screen-fixture.tsx'
import { ScreenHost } from '@pc/ui/routing/screen-host.tsx'
import { makeViewer } from '@pc/ui/session/make-viewer.ts'
import { ViewerProvider } from '@pc/ui/session/viewer.tsx'
import { useState } from 'react'
import { render } from 'vitest-browser-react'

const SESSION = {
  start: async () => undefined,
  idToken: async () => 'token',
  renew: async () => 'token',
  signOut: async () => {},
  leaveToSignIn: () => {},
}

export interface ShownView {
  id: string
  name: string
  condition: string
  columns: readonly string[] | null
  sharedWithRole: string | null
  isOwn: boolean
  ownerEmail: string
  revision: number
}

interface Given {
  screen: Screen
  segment?: string
  ids?: Readonly<Record<string, string>>
  /** Answers by operation name. */
  answers: Readonly<Record<string, object>>
  /** Queries (by variables) that stay unanswered. */
  isUnanswered?: (variables: Readonly<Record<string, unknown>>) => boolean
  isStaff?: boolean
  preferences?: Readonly<Record<string, unknown>>
  views?: readonly ShownView[]
  exports?: FileExports
}

/** Renders a report screen with the real Apollo client and a fake server that stores preferences and views. */
export async function showReport(given: Given) {
  const operations: { readonly name: string; readonly variables: Record<string, unknown> }[] = []
  const segments: (string | undefined)[] = []
  const ordered: ExportOrder[] = []
  const server = keptOnServer(given)
  const link = new ApolloLink(operation => {
    const name = operation.operationName ?? ''
    const variables = operation.variables as Record<string, unknown>
    operations.push({ name, variables })
    return new Observable(observer => {
      if (given.isUnanswered?.(variables)) return
      const answer = server.answer(name, variables) ?? given.answers[name] ?? {}
      observer.next(Array.isArray(answer) ? { data: null, errors: answer } : { data: { ...answer } })
      observer.complete()
    })
  })
  const exports: FileExports = async (order, onProgress, signal) => {
    ordered.push(order)
    return given.exports ? given.exports(order, onProgress, signal) : { file: new Blob(['x']), rows: 3 }
  }
  const client = makeClient(link, SESSION)
  await render(
    <ApolloProvider client={client}>
      <ClientsProvider clients={{ insight: client, iam: client }}>
        <FileExportsProvider exports={exports}>
          <ViewerProvider viewer={viewerOf(given.isStaff ?? false)}>
            <main id="main">
              <Host {...given} onChange={next => segments.push(next)} />
            </main>
            <Toasts />
          </ViewerProvider>
        </FileExportsProvider>
      </ClientsProvider>
    </ApolloProvider>,
  )
  return { operations, segments, ordered, server }
}

function Host({
  screen,
  segment: initial,
  ids = {},
  onChange,
}: Given & { onChange: (next: string | undefined) => void }) {
  const [segment, setSegment] = useState(initial)
  const change = (next: string | undefined) => {
    onChange(next)
    setSegment(next)
  }
  return <ScreenHost screen={screen} segment={segment} ids={ids} onSegmentChange={change} />
}

function viewerOf(isStaff: boolean) {
  const names = [
    'summary_stats',
    'article_stats',
    'video_stats',
    ...(isStaff ? ['revenue_detail', 'publisher_rank'] : []),
  ]
  return makeViewer(
    { id: 'u1', email: 'a@example.jp', photoUrl: undefined, hasEmailPassAccount: true },
    {
      ...{ photoUrl: undefined, organizationId: undefined, agreementIds: [], isStateReady: true },
      roles: [isStaff ? 'insight:viewer' : 'insight:publisher_admin'],
      policies: [{ actions: ['read:list', 'read:show'], resources: names.map(name => ({ name: `insight:${name}.` })) }],
    },
  )
}

function keptOnServer({ preferences = {}, views: first = [] }: Given) {
  const values = new Map(Object.entries(preferences).map(([key, value]) => [key, JSON.stringify(value)]))
  const views: (ShownView & { isDeleted?: boolean })[] = first.map(view => ({ ...view }))
  const shown = (view: ShownView) => ({ __typename: 'SavedView', ...view })
  const preference = (key: string) => ({ __typename: 'Preference', key, value: values.get(key) })
  return {
    values,
    views,
    answer(name: string, variables: Record<string, unknown>): object | undefined {
      const id = String(variables.id)
      switch (name) {
        case 'ScreenSettings': {
          const keys = (variables.keys as string[]).filter(key => values.has(key))
          return { preferences: keys.map(preference), savedViews: views.filter(view => !view.isDeleted).map(shown) }
        }
        case 'SavePreference': {
          const key = String(variables.key)
          const now = values.get(key)
          if (variables.expectedValue !== undefined && variables.expectedValue !== (now ?? null))
            return refusedWith('preference/changed-elsewhere', '設定が変わっていました。', [], { value: now ?? '' })
          if (typeof variables.value === 'string') values.set(key, variables.value)
          else values.delete(key)
          return { savePreference: values.has(key) ? preference(key) : null }
        }
        case 'SaveView': {
          const input = variables.input as Partial<ShownView>
          const known = views.find(view => view.id === input.id)
          const saved: ShownView = {
            ...{ id: String(views.length + 1), name: '', condition: '', columns: null, sharedWithRole: null },
            ...{ isOwn: true, ownerEmail: 'a@example.jp', revision: 1 },
            ...known,
            ...input,
          }
          if (known) Object.assign(known, saved)
          else views.push(saved)
          return { saveView: shown(saved) }
        }
        case 'DeleteSavedView':
        case 'RestoreSavedView': {
          Object.assign(views.find(view => view.id === id)!, { isDeleted: name === 'DeleteSavedView' })
          const field = name === 'DeleteSavedView' ? 'deleteSavedView' : 'restoreSavedView'
          return { [field]: { __typename: 'SavedView', id } }
        }
        default:
          return undefined
      }
    },
  }
}
