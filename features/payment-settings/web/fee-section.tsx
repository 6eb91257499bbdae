import type { Day } from '@pc/domain/month/day.ts'
import { dayText } from '@pc/domain/month/day-text.ja.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Card } from '@pc/ui/elements/card.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { formatInteger } from '@pc/ui/text/format.ts'
import { useState } from 'react'
import styles from './payment-settings.module.css'
import { SaveTransferFeesDocument } from './save-transfer-fees.gen.ts'
import { missingOf, SettingDialog } from './setting-dialog.tsx'
import { Amount, Choice, DayField, SettingText } from './setting-inputs.tsx'
import type { SectionProps } from './setting-words.ts'
import { DESTINATIONS, type FeeLine, labelOf, revisionOf, type Settings } from './setting-words.ts'

/** Transfer fees by sending bank, destination and amount. */
export function FeeSection({ settings, onSaved, today }: SectionProps & { today: Day }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Card
      title="振込手数料"
      note="振込元の銀行ごとの料金表（税込）"
      flush
      tools={onSaved && <Button onClick={() => setOpen(true)}>料金表を登録する</Button>}
    >
      <DataTable<FeeLine>
        caption="振込手数料"
        rows={inFormOrder(settings.transferFees)}
        rowKey={row => `${row.sourceBankCode}/${row.validFrom}/${row.destination}/${row.fromAmount}`}
        columns={[
          { id: 'bank', header: '振込元の銀行', isHeading: true, cell: row => row.sourceBankCode },
          { id: 'from', header: '適用開始日', cell: row => dayText(row.validFrom as Day) },
          { id: 'destination', header: '振込先', cell: row => labelOf(DESTINATIONS, row.destination) },
          {
            id: 'amount',
            header: '金額（円以上）',
            isFigure: true,
            cell: row => formatInteger(row.fromAmount),
          },
          { id: 'fee', header: '手数料（円）', isFigure: true, cell: row => formatInteger(row.fee) },
        ]}
        empty={{
          title: '料金表はまだありません',
          hint: '銀行の料金表を登録するまで、振込データを作成できません。',
        }}
      />
      {isOpen && onSaved && (
        <FeeDialog settings={settings} today={today} onClose={() => setOpen(false)} onSaved={onSaved} />
      )}
    </Card>
  )
}

/** Sorts the rows of each fee list as in its form. */
function inFormOrder(rows: readonly FeeLine[]): readonly FeeLine[] {
  const listOf = (row: FeeLine) => `${row.sourceBankCode}/${row.validFrom}`
  const lists = [...new Set(rows.map(listOf))]
  const destinationAt = (row: FeeLine) => DESTINATIONS.findIndex(({ value }) => value === row.destination)
  return rows.toSorted(
    (a, b) =>
      lists.indexOf(listOf(a)) - lists.indexOf(listOf(b)) ||
      destinationAt(a) - destinationAt(b) ||
      a.fromAmount - b.fromAmount,
  )
}

interface Line {
  readonly key: number
  readonly destination: FeeLine['destination']
  readonly fromAmount: number | undefined
  readonly fee: number | undefined
}
const FIRST_LINES: readonly Line[] = DESTINATIONS.map(({ value }, key) => ({
  key,
  destination: value,
  fromAmount: 0,
  fee: undefined,
}))

function FeeDialog(props: { settings: Settings; today: Day; onClose: () => void; onSaved: () => void }) {
  const { settings, today } = props
  const save = useSubmission(SaveTransferFeesDocument)
  const latest = settings.transferFees[0]
  const [bank, setBank] = useState(latest?.sourceBankCode ?? settings.transferSources[0]?.bankCode ?? '')
  const [validFrom, setValidFrom] = useState<string>(today)
  const [lines, setLines] = useState<readonly Line[]>(() =>
    latest
      ? inFormOrder(settings.transferFees)
          .filter(row => row.sourceBankCode === latest.sourceBankCode && row.validFrom === latest.validFrom)
          .map((row, key) => ({ key, destination: row.destination, fromAmount: row.fromAmount, fee: row.fee }))
      : FIRST_LINES,
  )
  const change = (line: Line, next: Partial<Line>) =>
    setLines(lines.map(each => (each === line ? { ...each, ...next } : each)))
  const missing = missingOf({
    sourceBankCode: bank === '' && '振込元の銀行コードを入力してください。',
    validFrom: validFrom === '' && '適用開始日を入力してください。',
    ...Object.fromEntries(
      lines.flatMap(({ fromAmount, fee }, index) => [
        [`lines.${index}.fromAmount`, fromAmount === undefined && '金額を入力してください。'],
        [`lines.${index}.fee`, fee === undefined && '手数料を入力してください。'],
      ]),
    ),
  })
  return (
    <SettingDialog
      title="振込手数料の料金表"
      note="銀行の料金表全体を、適用開始日を指定して登録します。これまでの振込には影響しません。"
      action="料金表を保存する"
      typed={{ values: { lines }, restore: kept => setLines(kept.lines) }}
      missing={missing}
      onClose={props.onClose}
      onSaved={props.onSaved}
      onSubmit={() =>
        save({
          expectedRevision: revisionOf(settings, 'transfer_fee'),
          input: {
            sourceBankCode: bank,
            validFrom,
            lines: lines.map(({ destination, fromAmount, fee }) => ({
              destination,
              fromAmount: fromAmount ?? 0,
              fee: fee ?? 0,
            })),
          },
        })
      }
    >
      <SettingText
        label="振込元の銀行コード（4桁）"
        name="sourceBankCode"
        isRequired
        digits={4}
        value={bank}
        onChange={setBank}
      />
      <DayField label="適用開始日" name="validFrom" isRequired value={validFrom} onChange={setValidFrom} />
      <ul className={styles.lines} aria-label="料金表の行">
        {lines.map((line, index) => (
          <li key={line.key}>
            <Choice
              label={`振込先（${index + 1}行目）`}
              options={DESTINATIONS}
              value={line.destination}
              onChange={destination => change(line, { destination })}
            />
            <Amount
              label={`この金額から（${index + 1}行目）`}
              name={`lines.${index}.fromAmount`}
              unit="円以上"
              value={line.fromAmount}
              onChange={fromAmount => change(line, { fromAmount })}
            />
            <Amount
              label={`手数料（${index + 1}行目）`}
              name={`lines.${index}.fee`}
              isRequired
              unit="円"
              value={line.fee}
              onChange={fee => change(line, { fee })}
            />
            <Button
              tone="quiet"
              aria-label={`${index + 1}行目を削除`}
              onClick={() => setLines(lines.filter(each => each !== line))}
            >
              削除
            </Button>
          </li>
        ))}
      </ul>
      <Button
        onClick={() =>
          setLines([
            ...lines,
            {
              key: Math.max(-1, ...lines.map(line => line.key)) + 1,
              destination: 'other_bank',
              fromAmount: undefined,
              fee: undefined,
            },
          ])
        }
      >
        行を追加する
      </Button>
    </SettingDialog>
  )
}
