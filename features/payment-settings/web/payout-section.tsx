import { isoMonthText } from '@pc/domain/month/day-text.ja.ts'
import { formatYearMonth } from '@pc/domain/month/year-month.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Card } from '@pc/ui/elements/card.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { formatInteger } from '@pc/ui/text/format.ts'
import { useState } from 'react'
import styles from './payment-settings.module.css'
import { RemoveLine } from './remove-line.tsx'
import { SavePayoutSettingDocument } from './save-payout-setting.gen.ts'
import { missingOf, SettingDialog } from './setting-dialog.tsx'
import { Amount, Choice, MonthSelect, startMonths } from './setting-inputs.tsx'
import {
  INPUT_TAX,
  labelOf,
  MONTHS_OF_YEAR,
  type PayoutLine,
  revisionOf,
  type SectionProps,
  type Settings,
  SHIFTS,
  WEIGHTS,
} from './setting-words.ts'

const UNCHOSEN = { value: '', label: '選択してください' } as const

/** The platform's payout settings: threshold, bank holidays, second person, and the weights of pool allocation. */
export function PayoutSection({ settings, onSaved }: SectionProps) {
  const [isOpen, setOpen] = useState(false)
  const first = settings.payout.at(-1)
  return (
    <Card
      title="支払の基準"
      note="確定していない月から適用します"
      flush
      tools={onSaved && <Button onClick={() => setOpen(true)}>支払の基準を変更する</Button>}
    >
      <DataTable<PayoutLine>
        caption="支払の基準"
        rows={settings.payout}
        rowKey={row => row.validFromMonth}
        columns={[
          { id: 'from', header: '適用開始', isHeading: true, cell: row => isoMonthText(row.validFromMonth) },
          {
            id: 'threshold',
            header: '支払下限額（円）',
            isFigure: true,
            cell: row => formatInteger(row.payoutThreshold),
          },
          { id: 'returnFee', header: '組戻手数料（円）', isFigure: true, cell: row => formatInteger(row.returnFee) },
          { id: 'shift', header: '銀行休業日', cell: row => labelOf(SHIFTS, row.businessDayShift) },
          { id: 'two', header: '確定の二者確認', cell: row => (row.needsTwoPersons ? '必要' : '不要') },
          { id: 'taxPeriod', header: '課税期間の開始月', cell: row => `${row.taxPeriodStartMonth}月` },
          { id: 'inputTax', header: '消費税の計上', cell: row => labelOf(INPUT_TAX, row.inputTaxTiming) },
          {
            id: 'weights',
            header: '分配の重み（SSP / 動画SSP / ライブSSP）',
            cell: row => (
              <span className={styles.law}>
                {[row.sspWeight, row.videoSspWeight, row.liveSspWeight].map(each => labelOf(WEIGHTS, each)).join(' / ')}
              </span>
            ),
          },
          {
            id: 'remove',
            header: '操作',
            cell: row => (
              <RemoveLine settings={settings} section="payout" line={row} isFirst={row === first} onRemoved={onSaved} />
            ),
          },
        ]}
      />
      {isOpen && onSaved && <PayoutDialog settings={settings} onClose={() => setOpen(false)} onSaved={onSaved} />}
    </Card>
  )
}

function PayoutDialog(props: { settings: Settings; onClose: () => void; onSaved: () => void }) {
  const { settings } = props
  const months = startMonths(settings.lastFinalizedMonth)
  const save = useSubmission(SavePayoutSettingDocument)
  const latest = settings.payout[0]
  // In the initial setting the start of tax periods (January) is only a default, so the person must choose it.
  const isFirst = revisionOf(settings, 'payout') === 1
  const [month, setMonth] = useState(months[0] === undefined ? '' : formatYearMonth(months[0]))
  const [threshold, setThreshold] = useState<number | undefined>(latest?.payoutThreshold)
  const [returnFee, setReturnFee] = useState<number | undefined>(latest?.returnFee ?? 0)
  const [shift, setShift] = useState(latest?.businessDayShift ?? 'previous')
  const [needsTwoPersons, setNeedsTwoPersons] = useState(latest?.needsTwoPersons ?? false)
  const [taxPeriodStart, setTaxPeriodStart] = useState(isFirst ? '' : String(latest?.taxPeriodStartMonth ?? ''))
  const [inputTaxTiming, setInputTaxTiming] = useState(latest?.inputTaxTiming ?? ('finalising' as const))
  const [weights, setWeights] = useState({
    sspWeight: latest?.sspWeight ?? ('article_click' as const),
    videoSspWeight: latest?.videoSspWeight ?? ('video_watch3s' as const),
    liveSspWeight: latest?.liveSspWeight ?? ('live_watch' as const),
  })
  return (
    <SettingDialog
      title="支払の基準"
      note="選んだ月の分から適用します。同じ月の行がある場合は置き換えます。計算済みの月は計算し直してください。"
      action={`${isoMonthText(month)}分から変更する`}
      missing={missingOf({
        payoutThreshold: threshold === undefined && '支払下限額を入力してください。',
        returnFee: returnFee === undefined && '組戻手数料を入力してください。分からない場合は0円にします。',
        taxPeriodStartMonth:
          taxPeriodStart === '' && '課税期間の開始月を選択してください。法人は、事業年度の開始月と同じです。',
      })}
      onClose={props.onClose}
      onSaved={props.onSaved}
      onSubmit={() =>
        save({
          expectedRevision: revisionOf(settings, 'payout'),
          input: {
            validFromMonth: month,
            payoutThreshold: threshold ?? 0,
            returnFee: returnFee ?? 0,
            businessDayShift: shift,
            needsTwoPersons,
            taxPeriodStartMonth: Number(taxPeriodStart),
            inputTaxTiming,
            ...weights,
          },
        })
      }
    >
      <MonthSelect months={months} value={month} onChange={setMonth} />
      <Amount label="支払下限額" name="payoutThreshold" unit="円" value={threshold} onChange={setThreshold} />
      <Amount label="組戻手数料（1件、税込）" name="returnFee" unit="円" value={returnFee} onChange={setReturnFee} />
      <Choice label="支払日が銀行休業日のとき" options={SHIFTS} value={shift} onChange={setShift} />
      <label className={styles.flag}>
        <input type="checkbox" checked={needsTwoPersons} onChange={event => setNeedsTwoPersons(event.target.checked)} />
        準備した人とは別の人が確定する（二者確認）
      </label>
      {!needsTwoPersons && (
        <p className={styles.hint}>
          1人で計算から確定、支払まで進められるようになり、誤りや不正に気づく人がいなくなります。確定できる人が1人のときだけ不要にしてください。
        </p>
      )}
      <Choice
        label="課税期間の開始月"
        name="taxPeriodStartMonth"
        isRequired
        options={taxPeriodStart === '' ? [UNCHOSEN, ...MONTHS_OF_YEAR] : MONTHS_OF_YEAR}
        value={taxPeriodStart}
        onChange={setTaxPeriodStart}
      />
      <Choice
        label="仕訳で仮払消費税を計上する時期"
        options={INPUT_TAX}
        value={inputTaxTiming}
        onChange={setInputTaxTiming}
      />
      <Choice
        label="SSP収益の分配の重み"
        options={WEIGHTS}
        value={weights.sspWeight}
        onChange={value => setWeights({ ...weights, sspWeight: value })}
      />
      <Choice
        label="動画SSP収益の分配の重み"
        options={WEIGHTS}
        value={weights.videoSspWeight}
        onChange={value => setWeights({ ...weights, videoSspWeight: value })}
      />
      <Choice
        label="ライブSSP収益の分配の重み"
        options={WEIGHTS}
        value={weights.liveSspWeight}
        onChange={value => setWeights({ ...weights, liveSspWeight: value })}
      />
    </SettingDialog>
  )
}
