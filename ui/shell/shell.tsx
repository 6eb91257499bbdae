import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { Confirmations } from '../feedback/confirm.tsx'
import { Toasts } from '../feedback/toasts.tsx'
import { lazyPart } from '../routing/lazy-part.tsx'
import { StepUpRequests } from '../session/step-up-prompt.tsx'
import { formatInstant } from '../text/format.ts'
import styles from './shell.module.css'
import { Sidebar, type SidebarGroup } from './sidebar.tsx'
import { useSidebar } from './sidebar-state.ts'
import { useShortcuts } from './use-shortcuts.ts'

interface ShellProps {
  groups: readonly SidebarGroup[]
  /** The path of the current screen. */
  path: string
  /** Changes with the screen but not with its filters; the focus then moves to the content. */
  screenKey: string
  header: (menu: { isOpen: boolean; controls: string; onToggle: () => void }) => ReactNode
  footer: ReactNode
  children: ReactNode
}

const ShortcutList = lazyPart(async () => (await import('./shortcut-list.tsx')).ShortcutList)

const SIDEBAR_ID = 'sidebar'

/** Fixed header, sidebar and footer, with the content between them. */
export function Shell({ groups, path, screenKey, header, footer, children }: ShellProps) {
  const sidebar = useSidebar()
  const main = useRef<HTMLElement>(null)
  const [isListOpen, setListOpen] = useState(false)
  const isDrawerClosed = sidebar.isPhone && !sidebar.isOpen
  useFocusOnNewScreen(main, screenKey)
  usePrintedAt(main)
  useShortcuts({ '?': () => setListOpen(true), '[': sidebar.toggle })

  return (
    <div className={styles.shell} data-sidebar={sidebar.isOpen ? 'open' : 'closed'}>
      {/* biome-ignore lint/a11y/useValidAnchor: a skip link; following it would replace the screen's own hash */}
      <a
        className={styles.skip}
        href="#main"
        onClick={event => {
          event.preventDefault()
          main.current?.focus()
        }}
      >
        本文へ移動
      </a>
      {header({ isOpen: sidebar.isOpen, controls: SIDEBAR_ID, onToggle: sidebar.toggle })}
      {sidebar.isPhone && sidebar.isOpen && (
        <button type="button" className={styles.scrim} aria-label="メニューを閉じる" onClick={sidebar.closeDrawer} />
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the drawer from anywhere inside it */}
      <div
        id={SIDEBAR_ID}
        className={styles.sidebar}
        inert={isDrawerClosed}
        onKeyDown={event => {
          if (event.key === 'Escape') sidebar.closeDrawer()
        }}
      >
        <Sidebar
          groups={groups}
          path={path}
          isOpen={sidebar.isPhone || sidebar.isOpen}
          onFollow={sidebar.closeDrawer}
        />
      </div>
      <main ref={main} id="main" tabIndex={-1} className={styles.main} inert={sidebar.isPhone && sidebar.isOpen}>
        {children}
      </main>
      <footer className={styles.footer}>{footer}</footer>
      <Toasts />
      <Confirmations />
      <StepUpRequests />
      {isListOpen && (
        <Suspense fallback={null}>
          <ShortcutList onClose={() => setListOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}

/**
 * After a change of screen, a screen reader starts at the new content. The first screen keeps the page's own start.
 */
function useFocusOnNewScreen(main: { readonly current: HTMLElement | null }, screenKey: string): void {
  const last = useRef(screenKey)
  useEffect(() => {
    if (last.current === screenKey) return
    last.current = screenKey
    main.current?.focus({ preventScroll: true })
  }, [main, screenKey])
}

/** Day and time of a printed page; only the print style sheet shows them. */
function usePrintedAt(main: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    window.onbeforeprint = () => {
      if (main.current) main.current.dataset.printedAt = `${formatInstant(new Date().toISOString())} 印刷`
    }
  }, [main])
}
