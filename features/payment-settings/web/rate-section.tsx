import { isoMonthText } from '@pc/domain/month/day-text.ja.ts'
import { formatYearMonth } from '@pc/domain/month/year-month.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Card } from '@pc/ui/elements/card.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { useState } from 'react'
import { RemoveLine } from './remove-line.tsx'
import { SaveDatedRateDocument } from './save-dated-rate.gen.ts'
import { SettingDialog } from './setting-dialog.tsx'
import { Amount, MonthSelect, startMonths } from './setting-inputs.tsx'
import { type RateLine, revisionOf, type SectionProps, type Settings } from './setting-words.ts'

interface RateSectionProps extends SectionProps {
  section: 'consumption_tax' | 'input_tax_deduction'
  title: string
  note: string
  header: string
  lines: readonly RateLine[]
}

/** A tax rate by the month in which revenue is generated, newest first. */
export function RateSection({ settings, onSaved, section, title, note, header, lines }: RateSectionProps) {
  const [isOpen, setOpen] = useState(false)
  const first = lines.at(-1)
  return (
    <Card
      title={title}
      note={note}
      flush
      tools={onSaved && <Button onClick={() => setOpen(true)}>{`${title}を追加する`}</Button>}
    >
      <DataTable<RateLine>
        caption={title}
        rows={lines}
        rowKey={row => row.validFromMonth}
        columns={[
          { id: 'from', header: '適用開始', isHeading: true, cell: row => `${isoMonthText(row.validFromMonth)}分から` },
          { id: 'percent', header, isFigure: true, cell: row => `${row.percent}%` },
          {
            id: 'remove',
            header: '操作',
            cell: row => (
              <RemoveLine
                settings={settings}
                section={section}
                line={row}
                isFirst={row === first}
                onRemoved={onSaved}
              />
            ),
          },
        ]}
      />
      {isOpen && onSaved && (
        <RateDialog
          settings={settings}
          section={section}
          title={title}
          onClose={() => setOpen(false)}
          onSaved={onSaved}
        />
      )}
    </Card>
  )
}

function RateDialog(props: {
  settings: Settings
  section: RateSectionProps['section']
  title: string
  onClose: () => void
  onSaved: () => void
}) {
  const { settings, section, title } = props
  const months = startMonths(settings.lastFinalizedMonth)
  const save = useSubmission(SaveDatedRateDocument)
  const [month, setMonth] = useState(months[0] === undefined ? '' : formatYearMonth(months[0]))
  const [percent, setPercent] = useState<number>()
  return (
    <SettingDialog
      title={title}
      note="選んだ月に発生した分から適用します。同じ月の行がある場合は置き換えます。"
      action={`${isoMonthText(month)}分から適用する`}
      missing={percent === undefined ? '率を入力してください。' : null}
      onClose={props.onClose}
      onSaved={props.onSaved}
      onSubmit={() =>
        save({
          expectedRevision: revisionOf(settings, section),
          input: { kind: section, validFromMonth: month, percent: percent ?? 0 },
        })
      }
    >
      <MonthSelect months={months} value={month} onChange={setMonth} />
      <Amount label="率" name="percent" unit="%" value={percent} onChange={setPercent} />
    </SettingDialog>
  )
}
