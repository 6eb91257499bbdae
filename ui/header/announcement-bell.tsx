import { IconBell } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { Popover } from '../popover.tsx'
import styles from './announcement-bell.module.css'
import header from './header.module.css'

/** An announcement in the header's list. */
export interface AnnouncementItem {
  readonly id: string
  readonly title: string
  /** HTML. */
  readonly body: string
  readonly type: 'info' | 'warn'
  readonly isRead: boolean
  /** Already written out, for example 2026年11月20日. */
  readonly dateText: string
  readonly link: string
}

interface BellProps {
  items: readonly AnnouncementItem[]
  /** Called with the unread ids when the bell is opened. */
  onRead: (ids: readonly string[]) => void
}

const HtmlBody = lazy(() => import('../html-body.tsx').then(module => ({ default: module.HtmlBody })))

function unreadText(count: number): string {
  return `${count} 件の未読のお知らせがあります`
}

/** Title お知らせ, unread count, a badge that pulses while any item is unread, and a timeline. */
export function AnnouncementBell({ items, onRead }: BellProps) {
  const unread = items.filter(item => !item.isRead)
  const name = unread.length > 0 ? `お知らせ ${unreadText(unread.length)}` : 'お知らせ'
  return (
    <Popover
      label="お知らせ"
      onOpenChange={isOpen => {
        if (isOpen && unread.length > 0) onRead(unread.map(item => item.id))
      }}
      button={props => (
        <button type="button" className={header.iconButton} aria-label={name} {...props}>
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
        <div className={styles.bell}>
          <h2>お知らせ</h2>
          {unread.length > 0 && <p className={styles.unread}>{unreadText(unread.length)}</p>}
          {items.length === 0 && <p className={styles.none}>現在お知らせはありません。</p>}
          <ul className={styles.timeline}>
            {items.map(item => (
              <TimelineItem key={item.id} item={item} onOpen={close} />
            ))}
          </ul>
        </div>
      )}
    </Popover>
  )
}

/** Marker: info green, warn amber, anything else green (specification, section 2). Title and body open the item. */
function TimelineItem({ item, onOpen }: { item: AnnouncementItem; onOpen: () => void }) {
  const open = () => {
    onOpen()
    location.assign(item.link)
  }
  return (
    <li data-type={item.type === 'warn' ? 'warn' : 'info'} data-unread={item.isRead ? undefined : true}>
      <time>{item.dateText}</time>
      <a href={item.link} onClick={onOpen}>
        {item.title}
      </a>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a larger target for the link above */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard has the link above */}
      <div className={styles.body} onClick={open}>
        <Suspense fallback={null}>
          <HtmlBody html={item.body} />
        </Suspense>
      </div>
    </li>
  )
}
