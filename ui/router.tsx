import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  type RouterHistory,
  redirect,
  useNavigate,
  useParams,
} from '@tanstack/react-router'
import { type FunctionComponent, type ReactNode, useEffect } from 'react'
import type { Analytics } from './analytics.ts'
import type { Screen } from './define-route.ts'
import { ScreenHost } from './screen-host.tsx'
import { MissingScreen } from './screen-states.tsx'

const CONDITION_SEGMENT = '/{-$condition}'

/** The last router, for what stands outside of React. */
export type ScreenRouter = ReturnType<typeof makeRouter>

/**
 * Hash routing: the root redirects to the first screen, every screen may end in its condition. A condition that cannot
 * be read gives the defaults, because `parse` is total; only an unknown path is "not found".
 */
export function makeRouter(
  screens: readonly Screen[],
  parts: { home: string; frame: FunctionComponent; analytics: Analytics; history?: RouterHistory },
) {
  const root = createRootRoute({ component: parts.frame, notFoundComponent: MissingScreen })
  const home = createRoute({
    getParentRoute: () => root,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to: parts.home, replace: true })
    },
  })
  const routes = screens.map(screen =>
    createRoute({
      getParentRoute: () => root,
      path: screen.condition ? screen.path + CONDITION_SEGMENT : screen.path,
      component: () => (
        <CountedScreen screen={screen} analytics={parts.analytics}>
          <RoutedScreen screen={screen} />
        </CountedScreen>
      ),
    }),
  )
  return createRouter({
    routeTree: root.addChildren([home, ...routes]),
    history: parts.history ?? createHashHistory(),
    pathParamsAllowedCharacters: ['=', '&', ',', ':', '@', '+', '$', ';'],
    scrollRestoration: true,
    // The document itself scrolls, and a changed filter keeps its place.
    defaultHashScrollIntoView: false,
  })
}

function RoutedScreen({ screen }: { screen: Screen }) {
  const { condition: segment, ...ids } = useParams({ strict: false }) as Record<string, string | undefined>
  const navigate = useNavigate()
  return (
    <ScreenHost
      screen={screen}
      segment={segment}
      ids={ids as Record<string, string>}
      onSegmentChange={next =>
        void navigate({
          to: screen.path + CONDITION_SEGMENT,
          params: { ...ids, condition: next },
          resetScroll: false,
        })
      }
    />
  )
}

/** The title of the document and one page view per screen, however often its filters change. */
function CountedScreen(props: { screen: Screen; analytics: Analytics; children: ReactNode }) {
  const { screen, analytics } = props
  useEffect(() => {
    document.title = `${screen.title} | Publisher Center`
    analytics.pageView(screen.path, screen.title)
  }, [screen, analytics])
  return props.children
}
