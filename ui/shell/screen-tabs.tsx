import { useEffect, useRef } from 'react'
import styles from './shell.module.css'

interface ScreenTab {
  readonly label: string
  readonly href: string
  readonly isCurrent: boolean
}

/** Tabs of the screens that share a sidebar item; each has its own address. */
export function ScreenTabs({ tabs }: { tabs: readonly ScreenTab[] }) {
  const current = useRef<HTMLAnchorElement>(null)
  // On a phone the active tab may be out of view.
  useEffect(() => {
    const tab = current.current
    if (tab) tab.parentElement!.scrollLeft = tab.offsetLeft - 60
  })
  return (
    tabs.length > 0 && (
      <nav aria-label="関連する画面" className={styles.tabs}>
        {tabs.map(({ label, href, isCurrent }) => (
          <a key={href} href={href} ref={isCurrent ? current : undefined} aria-current={isCurrent ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
    )
  )
}
