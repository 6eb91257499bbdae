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

/** Assembles a screen: right, condition from the address, query, view. */
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
  // A query that is known is sent while the code is still loading.
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

/** A placeholder that is never sent: the client reads the kind of the operation even of a skipped query. */
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

/**
 * The answer to the screen's query. After a failed repetition Apollo's `data` is empty, so the last good answer stays.
 */
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
  // Queued after the screen's own query has started.
  useEffect(() => queueMicrotask(firstScreenIsDrawn), [])
  // Deferred: an answer that replaces another renders in small pieces in the background and appears when it is
  // complete.
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
