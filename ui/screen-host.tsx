import { skipToken, useQuery } from '@apollo/client/react'
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { type ComponentType, Suspense, use, useMemo } from 'react'
import { useClientOf } from './clients.tsx'
import { todayInTokyo } from './clock-day.ts'
import type { Screen, ScreenContext, ScreenProps, ScreenQuery } from './define-route.ts'
import { ForbiddenScreen, ScreenBoundary, ScreenSkeleton } from './screen-states.tsx'
import { useViewer } from './viewer.tsx'

interface LoadedScreen {
  readonly View: ComponentType<ScreenProps<object, unknown>>
  readonly query: ScreenQuery | undefined
}

const loaded = new WeakMap<Screen, Promise<LoadedScreen>>()

/** Loads a screen's code once; a failed load is tried again with the next visit. */
export function preloadScreen(screen: Screen): Promise<LoadedScreen> {
  const known = loaded.get(screen)
  if (known) return known
  const loading = Promise.all([screen.load(), screen.loadQuery?.()]).then(
    ([View, query]): LoadedScreen => ({ View, query: query ?? screen.query }),
  )
  loaded.set(screen, loading)
  loading.then(
    // Read by `use`: code that is there already does not suspend, which would cost React's 300 ms of fallback.
    value => Object.assign(loading, { status: 'fulfilled', value }),
    () => loaded.delete(screen),
  )
  return loading
}

interface HostProps {
  screen: Screen
  segment: string | undefined
  ids: Readonly<Record<string, string>>
  onSegmentChange: (segment: string | undefined) => void
}

/** Puts a screen together: right, condition from the address, query, view. */
export function ScreenHost(props: HostProps) {
  const viewer = useViewer()
  const { allow } = props.screen
  if (!viewer.can(allow.action, allow.resource)) return <ForbiddenScreen title={props.screen.title} />
  return (
    <ScreenBoundary key={props.screen.path} address={`${Object.values(props.ids).join('/')}/${props.segment ?? ''}`}>
      <Suspense fallback={<ScreenSkeleton title={props.screen.title} />}>
        <AllowedScreen {...props} />
      </Suspense>
    </ScreenBoundary>
  )
}

function AllowedScreen({ screen, segment, ids, onSegmentChange }: HostProps) {
  const viewer = useViewer()
  const today = todayInTokyo()
  const condition = useMemo(() => screen.condition?.parse(segment) ?? {}, [screen, segment])
  const context: ScreenContext = { viewer, today, ids }
  // A query that is known already is sent while the code is on its way.
  const early = screen.loadQuery ? use(preloadScreen(screen)) : undefined
  const answer = useAnswer(early?.query ?? screen.query, condition, context)
  const { View } = early ?? use(preloadScreen(screen))
  return (
    <View
      {...context}
      {...answer}
      condition={condition}
      setCondition={change => onSegmentChange(screen.condition?.format({ ...condition, ...change }))}
    />
  )
}

/** Never sent; but the client reads the kind of its operation even of a query that is skipped. */
const NOTHING = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'query',
      selectionSet: {
        kind: 'SelectionSet',
        selections: [{ kind: 'Field', name: { kind: 'Name', value: '__typename' } }],
      },
    },
  ],
} as unknown as TypedDocumentNode<unknown, Record<string, unknown>>

/** The screen's query. After a failed repetition Apollo's `data` is empty: the last good answer stays on the screen. */
function useAnswer(query: ScreenQuery | undefined, condition: object, context: ScreenContext) {
  const client = useClientOf(query?.api)
  const result = useQuery(
    query?.document ?? NOTHING,
    query ? { variables: query.variables(condition, context), notifyOnNetworkStatusChange: true, client } : skipToken,
  )
  return {
    data: result.data ?? result.previousData,
    isLoading: result.loading,
    error: result.error,
    retry: () => void result.refetch(),
  }
}
