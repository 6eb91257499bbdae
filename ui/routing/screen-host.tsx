import { skipToken } from '@apollo/client/react'
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { Suspense, use, useDeferredValue, useEffect, useMemo } from 'react'
import { useClientOf } from '../data/clients.tsx'
import { noteShown } from '../data/recent-answers.ts'
import { useOwnQuery } from '../data/use-own-query.ts'
import { firstScreenIsDrawn } from '../prefetch/prefetch-cache.ts'
import { useViewer } from '../session/viewer.tsx'
import { todayInTokyo } from '../text/clock-day.ts'
import type { Screen, ScreenContext, ScreenQuery } from './define-route.ts'
import { lazy } from './lazy.ts'
import { preloadScreen } from './preload-screen.ts'
import { ForbiddenScreen, ScreenBoundary, ScreenSkeleton } from './screen-states.tsx'

const EmptyAccessScreen = lazy(async () => ({
  default: (await import('../session/empty-access-screen.tsx')).EmptyAccessScreen,
}))

interface HostProps {
  screen: Screen
  segment: string | undefined
  ids: Readonly<Record<string, string>>
  onSegmentChange: (segment: string | undefined) => void
}

/** Puts a screen together: right, condition from the address, query, view. */
export function ScreenHost(props: HostProps) {
  const viewer = useViewer()
  const { allow, isOwn } = props.screen
  const title = props.screen.titleFor(viewer)
  if (!viewer.can(allow.action, allow.resource)) return <ForbiddenScreen title={title} />
  const isEmpty = !isOwn && viewer.lacksAgreement(allow.action, allow.resource)
  return (
    <ScreenBoundary key={props.screen.path} address={`${Object.values(props.ids).join('/')}/${props.segment ?? ''}`}>
      <Suspense fallback={<ScreenSkeleton title={title} />}>
        {isEmpty ? <EmptyAccessScreen title={title} /> : <AllowedScreen {...props} />}
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

/** The screen's query. After a failed repetition Apollo's `data` is empty: the last good answer to it stays on the screen. */
function useAnswer(query: ScreenQuery | undefined, condition: object, context: ScreenContext) {
  const client = useClientOf(query?.api)
  const variables = query?.variables(condition, context)
  const requested = variables && JSON.stringify(variables)
  useEffect(() => {
    if (query && requested !== undefined) noteShown(client, query.document, JSON.parse(requested))
  }, [client, query, requested])
  const result = useOwnQuery(
    query?.document ?? NOTHING,
    variables
      ? {
          variables,
          notifyOnNetworkStatusChange: true,
          client,
        }
      : skipToken,
  )
  // What is around the screen begins to listen to its queries after it.
  useEffect(() => queueMicrotask(firstScreenIsDrawn), [])
  // Drawn beside what goes on: an answer that takes the place of another is drawn in small pieces, and shown when it is whole.
  const latest = result.data ?? result.previousData
  const drawn = useDeferredValue(latest) ?? latest
  const isDrawn = drawn === latest
  return {
    data: drawn,
    isPrevious: result.data === undefined || !isDrawn,
    isLoading: result.loading || !isDrawn,
    error: result.error,
    retry: () => void result.refetch(),
  }
}
