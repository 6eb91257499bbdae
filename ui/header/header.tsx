import { IconDots, IconMenu2, IconMoon, IconSun } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { setColorScheme, useColorScheme } from '../theme/color-scheme.ts'
import { AnnouncementBell } from './announcement-bell.tsx'
import type { AnnouncementItem } from './announcement-item.ts'
import styles from './header.module.css'
import { ServiceLauncher } from './service-launcher.tsx'
import type { Service } from './service-list.ts'
import { UserMenu, type UserMenuProps } from './user-menu.tsx'

interface HeaderProps {
  /** Name of the application, and the address of its first screen. */
  title: string
  home: string
  /** The toggle of the side menu. */
  menu: { isOpen: boolean; controls: string; onToggle: () => void }
  services: readonly Service[]
  currentService: string
  /** Absent: there is no bell. */
  announcements?: readonly AnnouncementItem[]
  onAnnouncementsRead?: (ids: readonly string[]) => void
  user: Omit<UserMenuProps, 'onSignOut'>
  onSignOut: () => void
  /** The application's own tools, left of the shared ones. */
  children?: ReactNode
}

/** The header that all applications share: launcher, announcements, account, colours, and both menu toggles. */
export function Header(props: HeaderProps) {
  const [isTopMenuOpen, setTopMenuOpen] = useState(false)
  const { menu } = props
  return (
    <header className={styles.header}>
      <button
        type="button"
        className={styles.iconButton}
        aria-label={menu.isOpen ? 'サイドメニューを閉じる' : 'サイドメニューを開く'}
        aria-expanded={menu.isOpen}
        aria-controls={menu.controls}
        onClick={menu.onToggle}
      >
        <IconMenu2 size={22} stroke={1.7} aria-hidden />
      </button>
      <a href={props.home} className={styles.brand}>
        <Mark />
        {props.title}
      </a>
      <div className={styles.space} />
      <div id="top-menu" className={styles.topMenu} data-open={isTopMenuOpen || undefined}>
        {props.children}
        <ColorSchemeToggle />
        <ServiceLauncher services={props.services} currentLink={props.currentService} />
      </div>
      {props.announcements && (
        <AnnouncementBell items={props.announcements} onRead={ids => props.onAnnouncementsRead?.(ids)} />
      )}
      <UserMenu {...props.user} onSignOut={props.onSignOut} />
      <button
        type="button"
        className={`${styles.iconButton} ${styles.topMenuToggle}`}
        aria-label={isTopMenuOpen ? 'トップメニューを閉じる' : 'トップメニューを開く'}
        aria-expanded={isTopMenuOpen}
        aria-controls="top-menu"
        onClick={() => setTopMenuOpen(!isTopMenuOpen)}
      >
        <IconDots size={20} stroke={1.7} aria-hidden />
      </button>
    </header>
  )
}

function ColorSchemeToggle() {
  const isDark = useColorScheme() === 'dark'
  const Icon = isDark ? IconSun : IconMoon
  return (
    <button
      type="button"
      className={styles.iconButton}
      aria-label={isDark ? 'ライト表示に切り替える' : 'ダーク表示に切り替える'}
      onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
    >
      <Icon size={20} stroke={1.7} aria-hidden />
    </button>
  )
}

function Mark() {
  return (
    <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#2457C5" />
      <path d="M9 23V9h8a5 5 0 0 1 0 10h-4v4z" fill="#fff" />
    </svg>
  )
}
