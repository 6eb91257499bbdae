import { useApolloClient } from '@apollo/client/react'
import { useOwnQuery } from '@pc/ui/data/use-own-query.ts'
import { Badge, Card } from '@pc/ui/elements/card.tsx'
import { HtmlBody } from '@pc/ui/elements/html-body.tsx'
import { Pager } from '@pc/ui/elements/list-top.tsx'
import { SegmentedControl } from '@pc/ui/filter/segmented-control.tsx'
import { SecondaryLink } from '@pc/ui/list/list-screen.tsx'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import { RecordScreen } from '@pc/ui/routing/record-screen.tsx'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { formatInstant, NO_VALUE } from '@pc/ui/text/format.ts'
import { useEffect, useState } from 'react'
import { ANNOUNCEMENTS_PATH, announcementEditPath } from '../links.ts'
import styles from './announcement.module.css'
import { AnnouncementAcknowledgementsDocument, type AnnouncementDetailQuery } from './announcements.gen.ts'
import { markRead } from './mark-read.ts'

/** An announcement as its readers see it. Staff also see who has read it. */
export function AnnouncementView(props: ScreenProps<object, AnnouncementDetailQuery>) {
  const announcement = props.data?.announcement ?? undefined
  const client = useApolloClient()
  const isStaff = props.viewer.can('write:update', 'insight:announcement.')
  const unreadId = announcement && !announcement.isRead ? announcement.id : undefined
  useEffect(() => {
    // Opening it marks it as read. If that fails, the error message is shown, and the next visit tries again.
    if (unreadId !== undefined) markRead(client, [unreadId]).catch(() => {})
  }, [client, unreadId])
  return (
    <RecordScreen
      {...props}
      listAddress={addressOf(ANNOUNCEMENTS_PATH)}
      title="お知らせ"
      record={announcement}
      name={() => ''}
      actions={record => (
        <>
          <SecondaryLink address={addressOf(ANNOUNCEMENTS_PATH)}>一覧へ戻る</SecondaryLink>
          {isStaff && <SecondaryLink address={addressOf(announcementEditPath(record.id))}>編集する</SecondaryLink>}
        </>
      )}
    >
      {record => (
        <div className={styles.detail}>
          <article className={styles.article}>
            <header>
              {record.level === 'warn' && <Badge tone="warn">重要</Badge>}
              <h2>{record.title}</h2>
              <p>
                <time dateTime={record.startAt}>{formatInstant(record.startAt)}</time>
                {!record.enabled && <Badge tone="mute">非公開</Badge>}
              </p>
            </header>
            <HtmlBody html={record.body} className={styles.body ?? ''} />
          </article>
          {isStaff && <Acknowledgements id={record.id} />}
        </div>
      )}
    </RecordScreen>
  )
}

const PAGE_SIZE = 20
const KINDS = [
  { value: 'all', label: 'すべて' },
  { value: 'read', label: '既読' },
  { value: 'unread', label: '未読' },
] as const

function Acknowledgements({ id }: { id: string }) {
  const [kind, setKind] = useState<(typeof KINDS)[number]['value']>('all')
  const [page, setPage] = useState(1)
  const result = useOwnQuery(AnnouncementAcknowledgementsDocument, {
    variables: { id, offset: (page - 1) * PAGE_SIZE, ...(kind === 'all' ? {} : { isRead: kind === 'read' }) },
  })
  const list = (result.data ?? result.previousData)?.announcementAcknowledgements
  return (
    <Card
      title="閲覧状況"
      note={list ? `既読 ${list.readTotal}人` : undefined}
      flush
      tools={
        <SegmentedControl
          label="閲覧状況の絞り込み"
          options={KINDS}
          value={kind}
          onChange={next => {
            setKind(next)
            setPage(1)
          }}
        />
      }
    >
      <DataTable
        caption="閲覧状況"
        rows={list?.nodes ?? []}
        rowKey={row => row.uid}
        isLoading={result.loading}
        {...(result.error && !list ? { failure: { retry: () => void result.refetch() } } : {})}
        empty={{ title: '該当するユーザーがいません' }}
        columns={[
          { id: 'email', header: 'メールアドレス', isHeading: true, cell: row => row.email },
          { id: 'organization', header: '組織', cell: row => row.organizationName ?? NO_VALUE },
          {
            id: 'readAt',
            header: '既読日時',
            cell: row => (row.readAt ? formatInstant(row.readAt) : <Badge tone="mute">未読</Badge>),
          },
        ]}
      />
      <div className={styles.pager}>
        <Pager page={page} size={PAGE_SIZE} total={list?.total ?? 0} onPage={setPage} />
      </div>
    </Card>
  )
}
