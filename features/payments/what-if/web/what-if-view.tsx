import { addMonths, EARLIEST_MONTH, formatYearMonth, monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import { useMedia } from '@pc/ui/data/entity-options.ts'
import { ScreenTop, SelectFilter } from '@pc/ui/elements/list-top.tsx'
import { MonthPicker } from '@pc/ui/filter/month-picker.tsx'
import type { ScreenProps } from '@pc/ui/routing/define-route.ts'
import { Message } from '@pc/ui/routing/screen-states.tsx'
import type { WhatIfCondition } from '../../what-if-condition.ts'
import { ScenarioEditor } from './scenario-editor.tsx'
import styles from './what-if.module.css'

/** A month tried out with other terms before anything is booked. Nothing here changes the books. */
export function WhatIfView({ condition, setCondition, today }: ScreenProps<WhatIfCondition, unknown>) {
  const media = useMedia()
  const month = condition.month ?? (Math.max(addMonths(monthOfDay(today), -1), EARLIEST_MONTH) as YearMonth)
  const mediumId = condition.mediumId ?? media.options[0]?.value
  return (
    <>
      <ScreenTop
        title="試算"
        note="条件を変えた場合の支払を計算します。ここでの操作で契約や支払が変わることはありません。"
      >
        <MonthPicker
          label="対象月"
          value={month}
          today={today}
          onChange={next => setCondition({ month: next, draftId: undefined })}
        />
        <SelectFilter
          label="媒体"
          options={media.options}
          value={mediumId ?? ''}
          onChange={id => setCondition({ mediumId: id, draftId: undefined })}
        />
      </ScreenTop>
      <div className={styles.screen}>
        {mediumId === undefined ? (
          <Message title="媒体を選択してください" />
        ) : (
          <ScenarioEditor
            key={`${month}/${mediumId}`}
            month={formatYearMonth(month)}
            mediumId={mediumId}
            draftId={condition.draftId}
            onDraft={draftId => setCondition({ draftId })}
          />
        )}
      </div>
    </>
  )
}
