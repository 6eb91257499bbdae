/** An announcement in the header's list. */
export interface AnnouncementItem {
  readonly id: string
  readonly title: string
  /** HTML. */
  readonly body: string
  readonly type: 'info' | 'warn'
  readonly isRead: boolean
  /** Formatted, for example 2026年11月20日. */
  readonly dateText: string
  readonly link: string
}
