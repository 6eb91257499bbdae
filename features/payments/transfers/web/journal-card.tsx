import { useApolloClient } from '@apollo/client/react'
import type { Day } from '@pc/domain/month/day.ts'
import { monthText } from '@pc/domain/month/day-text.ja.ts'
import { addMonths, EARLIEST_MONTH, formatYearMonth, monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import { saveBase64 } from '@pc/ui/data/save-base64.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Card } from '@pc/ui/elements/card.tsx'
import { SelectFilter } from '@pc/ui/elements/list-top.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { MonthPicker } from '@pc/ui/filter/month-picker.tsx'
import { SegmentedControl } from '@pc/ui/filter/segmented-control.tsx'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { JournalFileDocument } from './journal-file.gen.ts'
import styles from './transfers.module.css'

const SCOPES = [
  { value: 'close', label: '計上・支払確定' },
  { value: 'settlement', label: '支払・組戻し' },
] as const
const FORMATS = [
  { value: 'generic', label: '汎用CSV' },
  { value: 'freee', label: 'freee会計' },
  { value: 'money_forward', label: 'マネーフォワード' },
] as const
const ENCODINGS = [
  { value: 'utf8', label: 'UTF-8' },
  { value: 'cp932', label: 'Shift_JIS' },
] as const

/** The journal of a month, as accounting software reads it. */
export function JournalCard({ today }: { today: Day }) {
  const client = useApolloClient()
  const [month, setMonth] = useState(Math.max(addMonths(monthOfDay(today), -1), EARLIEST_MONTH) as YearMonth)
  const [scope, setScope] = useState<(typeof SCOPES)[number]['value']>('close')
  const [format, setFormat] = useState<(typeof FORMATS)[number]['value']>('generic')
  const [encoding, setEncoding] = useState<(typeof ENCODINGS)[number]['value']>('utf8')
  const [isBusy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    try {
      const { data } = await client.query({
        query: JournalFileDocument,
        variables: { month: formatYearMonth(month), scope, format, encoding },
        fetchPolicy: 'no-cache',
        errorPolicy: 'none',
      })
      if (!data?.journalFile) return
      saveBase64(data.journalFile.fileName, data.journalFile.contentBase64)
      showToast({ tone: 'success', message: `${monthText(month)}の仕訳を書き出しました。` })
    } catch {
      // The client has shown the error as a toast already.
    } finally {
      setBusy(false)
    }
  }
  return (
    <Card title="仕訳の書き出し" note="会計ソフトに取り込むファイル">
      <div className={styles.journal}>
        <MonthPicker
          label={scope === 'close' ? '収益の発生月' : '支払った月'}
          value={month}
          today={today}
          onChange={setMonth}
        />
        <SegmentedControl label="仕訳の種類" options={SCOPES} value={scope} onChange={setScope} />
        <SelectFilter label="形式" options={FORMATS} value={format} onChange={setFormat} />
        <SelectFilter label="文字コード" options={ENCODINGS} value={encoding} onChange={setEncoding} />
        <Button icon={<IconDownload size={16} aria-hidden />} aria-disabled={isBusy} onClick={() => void download()}>
          {isBusy ? '書き出しています…' : '仕訳を書き出す'}
        </Button>
      </div>
      <p className={styles.hint}>
        {scope === 'close'
          ? '発生月の末日付けの計上と、確定日付けの支払確定です。月を確定した後に書き出せます。'
          : 'その月に銀行で支払われた振込と、組戻しです。'}
      </p>
    </Card>
  )
}
