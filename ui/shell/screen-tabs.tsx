import styles from './shell.module.css'

interface ScreenTab {
  readonly label: string
  readonly href: string
  readonly isCurrent: boolean
}

/** The screens that belong to one item of the sidebar, each an address of its own. */
export function ScreenTabs({ tabs }: { tabs: readonly ScreenTab[] }) {
  if (tabs.length === 0) return null
  return (
    <nav aria-label="関連する画面" className={styles.tabs}>
      {tabs.map(({ label, href, isCurrent }) => (
        <a key={href} href={href} aria-current={isCurrent ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  )
}
