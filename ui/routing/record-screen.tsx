import type { ReactNode } from 'react'
import { ScreenTop } from '../elements/list-top.tsx'
import { FailedContent, Message, Skeleton } from './screen-states.tsx'

interface RecordScreenProps<R> {
  title: string
  /** Address of the list, to choose another record. */
  listAddress: string
  record: R | undefined
  name: (record: R) => string
  isLoading: boolean
  error: unknown
  retry: () => void
  actions?: (record: R) => ReactNode
  children: (record: R) => ReactNode
}

/**
 * The screen of one record in its states: loading, loaded, failed, or not visible to this person. Its content mounts
 * once, with the first record that arrives, so that a later answer does not discard what is being entered.
 */
export function RecordScreen<R>(props: RecordScreenProps<R>) {
  const { record, title } = props
  if (record !== undefined) {
    return (
      <>
        <ScreenTop title={title} note={props.name(record)}>
          {props.actions?.(record)}
        </ScreenTop>
        {props.children(record)}
      </>
    )
  }
  return (
    <>
      <ScreenTop title={title} />
      {props.isLoading ? (
        <div role="status" aria-label="読み込み中">
          <Skeleton height={360} />
        </div>
      ) : props.error ? (
        <FailedContent onRetry={props.retry} />
      ) : (
        <Message title="見つかりません" action={<a href={props.listAddress}>一覧へ</a>}>
          削除されたか、表示する権限がありません。一覧から選び直してください。
        </Message>
      )}
    </>
  )
}
