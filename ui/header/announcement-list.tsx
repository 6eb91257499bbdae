import { HtmlBody } from '../elements/html-body.tsx'
import styles from './announcement-bell.module.css'
import type { AnnouncementItem } from './announcement-item.ts'

interface ListProps {
  items: readonly AnnouncementItem[]
  /** The number of unread items in words; undefined: all are read. */
  unread: string | undefined
  /** Called when an item is opened. */
  onOpen: () => void
}

/** The title お知らせ, the number of unread items, and a timeline. */
export function AnnouncementList({ items, unread, onOpen }: ListProps) {
  return (
    <div className={styles.bell}>
      <h2>お知らせ</h2>
      {unread && <p className={styles.unread}>{unread}</p>}
      {items.length === 0 && <p className={styles.none}>現在お知らせはありません。</p>}
      <ul className={styles.timeline}>
        {items.map(item => (
          <TimelineItem key={item.id} item={item} onOpen={onOpen} />
        ))}
      </ul>
    </div>
  )
}

/** Marker: amber for a warning, otherwise green. Title and body open the item. */
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
        <HtmlBody html={item.body} />
      </div>
    </li>
  )
}
