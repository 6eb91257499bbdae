import type { Day } from '@pc/domain/month/day.ts'
import { isoMonthText } from '@pc/domain/month/day-text.ja.ts'
import { addMonths, EARLIEST_MONTH, formatYearMonth, monthOfDay, monthRange } from '@pc/domain/month/year-month.ts'
import { MAX_TRANSFER_LIMIT_YEN } from '@pc/domain/transfer/transfer-records.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Card } from '@pc/ui/elements/card.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { formatInteger } from '@pc/ui/text/format.ts'
import { useState } from 'react'
import styles from './payment-settings.module.css'
import { RemoveLine } from './remove-line.tsx'
import { SaveTransferSourceDocument } from './save-transfer-source.gen.ts'
import { missingOf, SettingDialog } from './setting-dialog.tsx'
import { Amount, Choice, MonthSelect, SettingText } from './setting-inputs.tsx'
import {
  ACCOUNT_TYPES,
  labelOf,
  revisionOf,
  type SectionProps,
  type Settings,
  type SourceLine,
} from './setting-words.ts'

/** The sending account and its bank's file format. */
export function SourceSection({ settings, onSaved, today }: SectionProps & { today: Day }) {
  const [isOpen, setOpen] = useState(false)
  const lines = settings.transferSources
  const thisMonth = formatYearMonth(monthOfDay(today))
  return (
    <Card
      title="振込元の口座"
      note="振込データ（総合振込）と、支払通知書の手数料に使います"
      flush
      tools={onSaved && <Button onClick={() => setOpen(true)}>振込元の口座を登録する</Button>}
    >
      <DataTable<SourceLine>
        caption="振込元の口座"
        rows={lines}
        rowKey={row => row.validFromMonth}
        columns={[
          {
            id: 'from',
            header: '適用開始（振込月）',
            isHeading: true,
            cell: row => `${isoMonthText(row.validFromMonth)}から`,
          },
          { id: 'client', header: '委託者', cell: row => `${row.clientName}（${row.clientCode}）` },
          {
            id: 'account',
            header: '口座',
            cell: row =>
              `${row.bankCode} ${row.bankName} ${row.branchCode} ${row.branchName} ${labelOf(ACCOUNT_TYPES, row.accountType)} ${row.accountNumber}`,
          },
          {
            id: 'limit',
            header: '1件の限度額（円）',
            isFigure: true,
            cell: row => formatInteger(row.transferLimit),
          },
          { id: 'breaks', header: '改行', cell: row => (row.hasLineBreaks ? 'あり（CRLF）' : 'なし') },
          { id: 'marks', header: '結果コード', cell: marksText },
          {
            id: 'remove',
            header: '操作',
            cell: row => (
              <RemoveLine
                settings={settings}
                section="transfer_source"
                of="振込元の口座"
                line={row}
                isFirst={row === lines.at(-1)}
                inUse={row.validFromMonth <= thisMonth ? '適用が始まった行は削除できません' : undefined}
                onRemoved={onSaved}
              />
            ),
          },
        ]}
        empty={{
          title: '振込元の口座が登録されていません',
          hint: '登録するまで、支払のある月を確定できず、振込データも作成できません。',
        }}
      />
      {isOpen && onSaved && (
        <SourceDialog settings={settings} today={today} onClose={() => setOpen(false)} onSaved={onSaved} />
      )}
    </Card>
  )
}

function marksText({ resultMarkOffset, resultMarkLength, resultPaidMarks, resultReturnedMarks }: SourceLine): string {
  if (resultMarkOffset === null || resultMarkLength === null) return '未設定'
  const returned = resultReturnedMarks?.join('・') || 'なし'
  return `${resultMarkOffset + 1}文字目から${resultMarkLength}文字：振込済み ${resultPaidMarks?.join('・')}、組戻し ${returned}`
}

const MONTHS_AHEAD = 71
const MAX_LIMIT = Number(MAX_TRANSFER_LIMIT_YEN)

const marksOf = (text: string) => text.split(/[、,・]/).flatMap(mark => (mark === '' ? [] : [mark]))

function SourceDialog(props: { settings: Settings; today: Day; onClose: () => void; onSaved: () => void }) {
  const { settings, today } = props
  const save = useSubmission(SaveTransferSourceDocument)
  const latest = settings.transferSources[0]
  const thisMonth = monthOfDay(today)
  // The first account may also apply to past months of transfer.
  const months = monthRange(latest ? thisMonth : EARLIEST_MONTH, addMonths(thisMonth, MONTHS_AHEAD))
  const [month, setMonth] = useState(formatYearMonth(thisMonth))
  const [texts, setTexts] = useState({
    clientCode: latest?.clientCode ?? '',
    clientName: latest?.clientName ?? '',
    bankCode: latest?.bankCode ?? '',
    branchCode: latest?.branchCode ?? '',
    accountNumber: latest?.accountNumber ?? '',
    extraCharacters: latest?.extraCharacters ?? '',
  })
  const [accountType, setAccountType] = useState(latest?.accountType ?? ('ordinary' as const))
  const [limit, setLimit] = useState<number | undefined>(latest?.transferLimit ?? MAX_LIMIT)
  const [hasLineBreaks, setLineBreaks] = useState(latest?.hasLineBreaks ?? true)
  const [position, setPosition] = useState(latest?.resultMarkOffset == null ? undefined : latest.resultMarkOffset + 1)
  const [length, setLength] = useState(latest?.resultMarkLength ?? undefined)
  const [paid, setPaid] = useState(latest?.resultPaidMarks?.join('・') ?? '')
  const [returned, setReturned] = useState(latest?.resultReturnedMarks?.join('・') ?? '')
  const write = (name: keyof typeof texts) => (value: string) => setTexts({ ...texts, [name]: value })
  const hasMarks = position !== undefined || length !== undefined || paid !== '' || returned !== ''
  const missing = missingOf({
    clientCode: texts.clientCode === '' && '委託者コードを入力してください。',
    clientName: texts.clientName.trim() === '' && '委託者名を入力してください。',
    bankCode: texts.bankCode === '' && '銀行コードを入力してください。',
    branchCode: texts.branchCode === '' && '支店コードを入力してください。',
    accountNumber: texts.accountNumber === '' && '口座番号を入力してください。',
    transferLimit: limit === undefined && '1件あたりの振込限度額を入力してください。',
  })
  return (
    <SettingDialog
      title="振込元の口座"
      note="選んだ月の振込から適用します。作成済みの振込データは変わりません。銀行名と支店名は銀行マスタのカナを使います。"
      action={`${isoMonthText(month)}から適用する`}
      typed={{ values: texts, restore: setTexts }}
      missing={missing}
      onClose={props.onClose}
      onSaved={props.onSaved}
      onSubmit={() =>
        save({
          expectedRevision: revisionOf(settings, 'transfer_source'),
          input: {
            ...texts,
            validFromMonth: month,
            accountType,
            hasLineBreaks,
            transferLimit: limit ?? MAX_LIMIT,
            ...(hasMarks
              ? {
                  resultMarkOffset: position === undefined ? null : position - 1,
                  resultMarkLength: length ?? null,
                  resultPaidMarks: marksOf(paid),
                  resultReturnedMarks: marksOf(returned),
                }
              : {}),
          },
        })
      }
    >
      <MonthSelect months={months} isOfTransfers value={month} onChange={setMonth} />
      <SettingText
        label="委託者コード（銀行から指定された10桁以内）"
        name="clientCode"
        isRequired
        digits={10}
        value={texts.clientCode}
        onChange={write('clientCode')}
      />
      <SettingText
        label="委託者名（カナ。半角カナに変換します）"
        name="clientName"
        isRequired
        maxLength={40}
        value={texts.clientName}
        onChange={write('clientName')}
      />
      <SettingText
        label="銀行コード（4桁）"
        name="bankCode"
        isRequired
        digits={4}
        value={texts.bankCode}
        onChange={write('bankCode')}
      />
      <SettingText
        label="支店コード（3桁）"
        name="branchCode"
        isRequired
        digits={3}
        value={texts.branchCode}
        onChange={write('branchCode')}
      />
      <Choice label="種別" options={ACCOUNT_TYPES} value={accountType} onChange={setAccountType} />
      <SettingText
        label="口座番号（7桁）"
        name="accountNumber"
        isRequired
        digits={7}
        value={texts.accountNumber}
        onChange={write('accountNumber')}
      />
      <Amount
        label="1件あたりの振込限度額（銀行との契約。100万円から9,999,999,999円まで）"
        name="transferLimit"
        unit="円"
        value={limit}
        onChange={setLimit}
      />
      <p className={styles.hint}>
        限度額を超える振込は、同じ口座への数件に分けて振込データに入れます。手数料は1件ごとにかかり、2件目からは支払先の負担にしません。
      </p>
      <label className={styles.flag}>
        <input type="checkbox" checked={hasLineBreaks} onChange={event => setLineBreaks(event.target.checked)} />
        振込データの各行を改行（CRLF）で区切る
      </label>
      <SettingText
        label="銀行が追加で認める記号（任意）"
        maxLength={20}
        value={texts.extraCharacters}
        onChange={write('extraCharacters')}
      />
      <fieldset className={styles.group}>
        <legend>振込結果ファイルの結果コード（任意。銀行の資料で確認してください）</legend>
        <Amount
          label="結果コードの位置（レコード末尾7文字のうち）"
          unit="文字目"
          value={position}
          onChange={setPosition}
        />
        <Amount label="結果コードの長さ" unit="文字" value={length} onChange={setLength} />
        <SettingText
          label="振込済みの結果コード（複数は「・」で区切る）"
          name="resultPaidMarks"
          maxLength={60}
          value={paid}
          onChange={setPaid}
        />
        <SettingText
          label="組戻しの結果コード（複数は「・」で区切る）"
          maxLength={60}
          value={returned}
          onChange={setReturned}
        />
      </fieldset>
    </SettingDialog>
  )
}
