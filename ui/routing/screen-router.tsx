import { useEffect, useMemo, useRef } from 'react'
import { useViewer, type Viewer } from '../session/viewer.tsx'
import type { Analytics } from './analytics.ts'
import { addressOf, type Screen } from './define-route.ts'
import { goTo, isReturning, useHashPath } from './hash-location.ts'
import { connection } from './load-code.ts'
import { matchScreen, type ScreenMatch } from './match-screen.ts'
import { preloadScreen } from './preload-screen.ts'
import { ScreenHost } from './screen-host.tsx'
import { MissingScreen } from './screen-states.tsx'

interface ScreenRouterProps {
  screens: readonly Screen[]
  /** The path to which the root leads. */
  home: string
  analytics: Analytics
}

/**
 * Renders the screen of the address. Routing uses the hash; the root leads to the first screen; every list may end in
 * its condition. Only an unknown path is "not found".
 */
export function ScreenRouter({ screens, home, analytics }: ScreenRouterProps) {
  const path = useHashPath()
  const isRoot = path === '' || path === '/'
  const match = useMemo(() => matchScreen(screens, isRoot ? home : path), [screens, home, path, isRoot])
  useEffect(() => {
    if (isRoot) goTo(addressOf(home), { replace: true })
  }, [isRoot, home])
  const viewer = useViewer()
  useVisit(match?.screen, viewer, analytics)
  usePreloading(screens)
  if (!match) return <MissingScreen />
  return (
    <ScreenHost
      screen={match.screen}
      segment={match.segment}
      ids={match.ids}
      onSegmentChange={segment => goTo(addressOf(concretePath(match), segment))}
    />
  )
}

function concretePath({ screen, ids }: ScreenMatch): string {
  return screen.path.replace(/\$(\w+)/g, (_, name: string) => encodeURIComponent(ids[name] ?? ''))
}

/** Preloads the code of a screen while the pointer or the focus is on a link to it. */
function usePreloading(screens: readonly Screen[]): void {
  useEffect(() => {
    const onNear = ({ target }: Event) => {
      const link = target instanceof Element ? target.closest('a[href^="#/"]') : null
      const screen = link && matchScreen(screens, link.getAttribute('href')!.slice(1))?.screen
      // A failed preload is tried again by the visit itself, which shows the failure.
      if (screen) preloadScreen(screen).catch(() => {})
    }
    // Code for lost connections must be loaded before one is lost.
    const timer = setTimeout(() => connection().catch(() => {}), 3_000)
    document.addEventListener('pointerover', onNear)
    document.addEventListener('focusin', onNear)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('pointerover', onNear)
      document.removeEventListener('focusin', onNear)
    }
  }, [screens])
}

/**
 * Sets the document's title, moves to the start of the content, and counts one page view per screen, however often its
 * filters change.
 */
function useVisit(screen: Screen | undefined, viewer: Viewer, analytics: Analytics): void {
  const isFirst = useRef(true)
  useEffect(() => {
    document.title = `${screen?.titleFor(viewer) ?? 'ページが見つかりません'} | Publisher Center`
    if (!isReturning() && !isFirst.current) window.scrollTo(0, 0)
    isFirst.current = false
    if (screen) analytics.pageView(screen.path, screen.title)
  }, [screen, viewer, analytics])
}
