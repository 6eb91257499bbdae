import { rateText } from '@pc/domain/money/rate.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { dayText } from '@pc/domain/month/day-text.ja.ts'
import { withheldTaxesText } from '@pc/domain/transfer/withheld-taxes.ja.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Card } from '@pc/ui/elements/card.tsx'
import { confirm } from '@pc/ui/feedback/confirm.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { formatInteger } from '@pc/ui/text/format.ts'
import { useState } from 'react'
import { RemoveWithholdingRateDocument, SaveWithholdingRateDocument } from './save-withholding-rate.gen.ts'
import { SettingDialog } from './setting-dialog.tsx'
import { Amount, DayField } from './setting-inputs.tsx'
import { revisionOf, type SectionProps, type Settings, type WithholdingLine } from './setting-words.ts'

/** Withholding tax rates by day of payment. */
export function WithholdingSection({ settings, onSaved, today }: SectionProps & { today: Day }) {
  const [isOpen, setOpen] = useState(false)
  const remove = useSubmission(RemoveWithholdingRateDocument)
  /** Newest first. */
  const lines = settings.withholding
  const takeAway = async ({ validFrom }: WithholdingLine) => {
    const isAgreed = await confirm({
      title: `${dayText(validFrom as Day)}からの税率を削除しますか？`,
      body: '一つ前の税率がそのまま適用されます。',
      action: '税率を削除する',
      tone: 'danger',
    })
    if (!isAgreed) return
    try {
      await remove({ validFrom, expectedRevision: revisionOf(settings, 'withholding') })
      showToast({ tone: 'success', message: `${dayText(validFrom as Day)}からの税率を削除しました。` })
    } catch (error) {
      const message = refusalsOf(error)[0]?.message ?? '削除できませんでした。もう一度お試しください。'
      showToast({ tone: 'error', message })
    }
    onSaved?.()
  }
  return (
    <Card
      title="源泉徴収税率"
      note={`1回の振込ごとに、税抜金額から計算します。個人は基準額で2つに分け、非居住者・外国法人は全額に1つの税率をかけます（租税条約の届出書がある契約を除く）。税の内訳：${withheldTaxesText(today)}。適用は税理士に確認してください。`}
      flush
      tools={onSaved && <Button onClick={() => setOpen(true)}>源泉徴収税率を追加する</Button>}
    >
      <DataTable<WithholdingLine>
        caption="源泉徴収税率"
        rows={lines}
        rowKey={row => row.validFrom}
        columns={[
          {
            id: 'from',
            header: '適用開始（支払日）',
            isHeading: true,
            cell: row => `${dayText(row.validFrom as Day)}から`,
          },
          { id: 'threshold', header: '区分の基準額（円）', isFigure: true, cell: row => formatInteger(row.threshold) },
          { id: 'low', header: '基準額以下の部分', isFigure: true, cell: row => rateText(row.rateUpToThreshold) },
          { id: 'high', header: '基準額を超える部分', isFigure: true, cell: row => rateText(row.rateAboveThreshold) },
          { id: 'abroad', header: '非居住者・外国法人', isFigure: true, cell: row => rateText(row.rateNonResident) },
          {
            id: 'remove',
            header: '操作',
            cell: row =>
              onSaved && (
                <Button
                  tone="quiet"
                  disabled={row.validFrom <= today || row === lines.at(-1)}
                  title={
                    row === lines.at(-1)
                      ? '最初の税率は削除できません'
                      : row.validFrom <= today
                        ? '適用が始まった税率は削除できません'
                        : undefined
                  }
                  aria-label={`${dayText(row.validFrom as Day)}からの税率を削除`}
                  onClick={() => void takeAway(row)}
                >
                  削除
                </Button>
              ),
          },
        ]}
      />
      {isOpen && onSaved && (
        <WithholdingDialog settings={settings} today={today} onClose={() => setOpen(false)} onSaved={onSaved} />
      )}
    </Card>
  )
}

function WithholdingDialog(props: { settings: Settings; today: Day; onClose: () => void; onSaved: () => void }) {
  const { settings, today } = props
  const save = useSubmission(SaveWithholdingRateDocument)
  const latest = settings.withholding[0]
  const [validFrom, setValidFrom] = useState<string>(today)
  const [threshold, setThreshold] = useState<number | undefined>(latest?.threshold)
  const [low, setLow] = useState<number | undefined>(latest?.rateUpToThreshold)
  const [high, setHigh] = useState<number | undefined>(latest?.rateAboveThreshold)
  const [abroad, setAbroad] = useState<number | undefined>(latest?.rateNonResident)
  const isIncomplete = validFrom === '' || [threshold, low, high, abroad].includes(undefined)
  return (
    <SettingDialog
      title="源泉徴収税率"
      note="この日以降の振込に適用します。作成済みの振込は変わりません。法令の改正に合わせて登録してください。"
      action="税率を保存する"
      missing={isIncomplete ? '適用開始日・区分の基準額・税率をすべて入力してください。' : null}
      onClose={props.onClose}
      onSaved={props.onSaved}
      onSubmit={() =>
        save({
          expectedRevision: revisionOf(settings, 'withholding'),
          input: {
            validFrom,
            threshold: threshold ?? 0,
            rateUpToThreshold: low ?? 0,
            rateAboveThreshold: high ?? 0,
            rateNonResident: abroad ?? 0,
          },
        })
      }
    >
      <DayField label="適用開始日（支払日）" name="validFrom" min={today} value={validFrom} onChange={setValidFrom} />
      <Amount label="区分の基準額" name="threshold" unit="円" value={threshold} onChange={setThreshold} />
      <Amount
        label="基準額以下の部分の税率"
        name="rateUpToThreshold"
        unit="%"
        kind="rate"
        value={low}
        onChange={setLow}
      />
      <Amount
        label="基準額を超える部分の税率"
        name="rateAboveThreshold"
        unit="%"
        kind="rate"
        value={high}
        onChange={setHigh}
      />
      <Amount
        label="非居住者・外国法人の税率"
        name="rateNonResident"
        unit="%"
        kind="rate"
        value={abroad}
        onChange={setAbroad}
      />
    </SettingDialog>
  )
}
