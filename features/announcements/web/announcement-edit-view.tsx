import type { FieldWords } from '@pc/ui/history/field-words.ts'
import { RecordHistory } from '@pc/ui/history/record-history.tsx'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import { RecordScreen } from '@pc/ui/routing/record-screen.tsx'
import { formatInstant } from '@pc/ui/text/format.ts'
import { ANNOUNCEMENTS_PATH } from '../links.ts'
import { AnnouncementForm } from './announcement-form.tsx'
import { announcementValuesOf } from './announcement-values.ts'
import type { AnnouncementDetailQuery } from './announcements.gen.ts'

const instant = (value: unknown) => formatInstant(String(value))
const WORDS: FieldWords = {
  title: { label: 'タイトル' },
  body: {
    label: '本文',
    show: value =>
      String(value)
        .replace(/<[^>]*>/g, ' ')
        .trim(),
  },
  level: { label: '重要度', show: value => (value === 'warn' ? '重要' : '通常') },
  enabled: { label: '公開', show: value => (value === true ? '公開' : '非公開') },
  startAt: { label: '掲載開始', show: instant },
  endAt: { label: '掲載終了', show: instant },
  closeButtonText: { label: '確認ボタンの文字' },
}

export function AnnouncementEditView(props: ScreenProps<object, AnnouncementDetailQuery>) {
  return (
    <RecordScreen
      {...props}
      listAddress={addressOf(ANNOUNCEMENTS_PATH)}
      title="お知らせの編集"
      record={props.data?.announcement ?? undefined}
      name={announcement => announcement.title}
    >
      {announcement => (
        <AnnouncementForm
          key={announcement.id}
          title="お知らせの編集"
          announcement={announcement}
          initial={announcementValuesOf(announcement)}
          aside={<RecordHistory kind="announcement" id={announcement.id} words={WORDS} />}
        />
      )}
    </RecordScreen>
  )
}
