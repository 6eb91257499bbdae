import { IconExternalLink, type TablerIcon } from '@tabler/icons-react'
import styles from './shell.module.css'

export interface SidebarItem {
  readonly label: string
  readonly icon: TablerIcon
  /** `#/…` within the application. Any other address opens in a new tab, unless `isSameTab` is set. */
  readonly href: string
  readonly isSameTab?: boolean
  /** The item is active while the address starts with one of these paths. */
  readonly paths?: readonly string[]
}

export interface SidebarGroup {
  /** Absent: the group has no heading. */
  readonly label?: string
  readonly items: readonly SidebarItem[]
}

/** @param path the current address within the application, without `#` */
export function Sidebar(props: {
  groups: readonly SidebarGroup[]
  path: string
  isOpen: boolean
  onFollow: () => void
}) {
  const items = props.groups.flatMap(group => group.items)
  // A screen may be a tab of one item and the main screen of another. The item whose main screen it is comes first.
  const active =
    items.find(item => item.paths?.[0] !== undefined && isUnder(props.path, item.paths[0])) ??
    items.find(item => item.paths?.some(path => isUnder(props.path, path)))
  return (
    <nav aria-label="メインメニュー" className={styles.menu} data-icons-only={props.isOpen ? undefined : true}>
      {props.groups.map(group => (
        <div key={group.label ?? group.items[0]?.label} className={styles.group}>
          {group.label && (
            <h2 className={styles.groupLabel}>
              <span>{group.label}</span>
            </h2>
          )}
          <ul>
            {group.items.map(item => (
              <li key={item.href}>
                <SidebarLink item={item} isActive={item === active} onFollow={props.onFollow} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

function SidebarLink({ item, isActive, onFollow }: { item: SidebarItem; isActive: boolean; onFollow: () => void }) {
  const isExternal = !item.href.startsWith('#') && !item.isSameTab
  return (
    <a
      href={item.href}
      className={styles.link}
      data-tip={item.label}
      aria-current={isActive ? 'page' : undefined}
      onClick={onFollow}
      {...(isExternal ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
    >
      <item.icon size={20} stroke={1.6} aria-hidden />
      <span className={styles.linkLabel}>{item.label}</span>
      {isExternal && (
        <>
          <IconExternalLink className={styles.external} size={14} stroke={1.6} aria-hidden />
          <span className="visually-hidden">（新しいタブで開きます）</span>
        </>
      )}
    </a>
  )
}

function isUnder(path: string, itemPath: string): boolean {
  return path === itemPath || path.startsWith(`${itemPath}/`)
}
