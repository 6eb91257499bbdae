import { MEDIUM_FIELD_LABELS_JA } from '@pc/domain/medium/medium.ts'
import { parseDay } from '@pc/domain/month/day.ts'
import { dayText } from '@pc/domain/month/day-text.ja.ts'
import { fieldWords } from '@pc/ui/history/field-words.ts'
import { RecordHistory } from '@pc/ui/history/record-history.tsx'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import { RecordScreen } from '@pc/ui/routing/record-screen.tsx'
import { MEDIA_PATH } from '../links.ts'
import type { MediumEditQuery } from './media.gen.ts'
import { MediumForm } from './medium-form.tsx'
import { mediumTitle } from './medium-title.ts'
import { mediumValuesOf } from './medium-values.ts'

const WORDS = fieldWords(MEDIUM_FIELD_LABELS_JA, {
  retiredOn(value) {
    const day = parseDay(String(value))
    return day === undefined ? 'なし' : dayText(day)
  },
})

export function MediumEditView(props: ScreenProps<object, MediumEditQuery>) {
  const { viewer, ids } = props
  return (
    <RecordScreen
      {...props}
      listAddress={addressOf(MEDIA_PATH)}
      title={mediumTitle(viewer)}
      record={props.data?.medium ?? undefined}
      name={medium => medium.name}
    >
      {medium => (
        <MediumForm
          key={medium.id}
          title={mediumTitle(viewer)}
          viewer={viewer}
          medium={medium}
          initial={mediumValuesOf(medium)}
          aside={
            viewer.can('read:show', 'insight:in_house_note.') && (
              <RecordHistory kind="medium" id={ids.id ?? ''} words={WORDS} />
            )
          }
        />
      )}
    </RecordScreen>
  )
}
