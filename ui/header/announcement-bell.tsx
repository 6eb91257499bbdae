import { IconBell } from '@tabler/icons-react'
import { Suspense } from 'react'
import { Popover } from '../feedback/popover.tsx'
import { lazyPart } from '../routing/lazy-part.tsx'
import styles from './announcement-bell.module.css'
import type { AnnouncementItem } from './announcement-item.ts'
import header from './header.module.css'

interface BellProps {
  items: readonly AnnouncementItem[]
  /** Called with the unread ids when the list is opened. */
  onRead: (ids: readonly string[]) => void
}

const AnnouncementList = lazyPart(async () => (await import('./announcement-list.tsx')).AnnouncementList)

/** A bell with a badge that pulses while any item is unread. The code of the list loads when it is opened. */
export function AnnouncementBell({ items, onRead }: BellProps) {
  const unread = items.filter(item => !item.isRead)
  const unreadOf = unread.length > 0 ? `${unread.length} 件の未読のお知らせがあります` : undefined
  return (
    <Popover
      label="お知らせ"
      onOpenChange={isOpen => {
        if (isOpen && unread.length > 0) onRead(unread.map(item => item.id))
      }}
      button={props => (
        <button
          type="button"
          className={header.iconButton}
          aria-label={unreadOf ? `お知らせ ${unreadOf}` : 'お知らせ'}
          {...props}
        >
          <IconBell size={20} stroke={1.7} aria-hidden />
          {unread.length > 0 && (
            <span className={styles.badge} aria-hidden>
              {unread.length > 99 ? '99+' : unread.length}
            </span>
          )}
        </button>
      )}
    >
      {close => (
        <Suspense fallback={null}>
          <AnnouncementList items={items} unread={unreadOf} onOpen={close} />
        </Suspense>
      )}
    </Popover>
  )
}
