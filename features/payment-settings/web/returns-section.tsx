import { isoMonthText } from '@pc/domain/month/day-text.ja.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Card } from '@pc/ui/elements/card.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { useState } from 'react'
import { SaveReturnsFirstMonthDocument } from './save-returns-first-month.gen.ts'
import { SettingDialog } from './setting-dialog.tsx'
import { MonthSelect, startMonths } from './setting-inputs.tsx'
import { revisionOf, type SectionProps, type Settings } from './setting-words.ts'

/** The first month in which returned transfers are lines of their own; cannot change once such a month was closed. */
export function ReturnsSection({ settings, onSaved }: SectionProps) {
  const [isOpen, setOpen] = useState(false)
  const { firstMonth, isProposed } = settings.returnsRule
  const hasBegun = settings.lastFinalizedMonth != null && firstMonth <= settings.lastFinalizedMonth
  return (
    <Card
      title="返還の計算"
      note="過去の月の収益を取り消すときの消費税"
      tools={onSaved && !hasBegun && <Button onClick={() => setOpen(true)}>適用開始月を確認する</Button>}
    >
      <p>
        {isoMonthText(firstMonth)}
        分から、返還を税率ごとに集計し、対象月の控除割合で戻します。それより前に確定した月は変わりません。
        {isProposed && !hasBegun && '（更新時に設定した月です。確認してください。）'}
      </p>
      {isOpen && onSaved && <ReturnsDialog settings={settings} onClose={() => setOpen(false)} onSaved={onSaved} />}
    </Card>
  )
}

function ReturnsDialog(props: { settings: Settings; onClose: () => void; onSaved: () => void }) {
  const { settings } = props
  const save = useSubmission(SaveReturnsFirstMonthDocument)
  const [month, setMonth] = useState(settings.returnsRule.firstMonth)
  return (
    <SettingDialog
      title="返還の計算"
      note="選んだ月の分から適用します。この方法で月を確定すると、変更できなくなります。計算済みの月は計算し直してください。"
      action={`${isoMonthText(month)}分から適用する`}
      missing={null}
      onClose={props.onClose}
      onSaved={props.onSaved}
      onSubmit={() => save({ expectedRevision: revisionOf(settings, 'settlement_rule'), validFromMonth: month })}
    >
      <MonthSelect months={startMonths(settings.lastFinalizedMonth ?? null)} value={month} onChange={setMonth} />
    </SettingDialog>
  )
}
