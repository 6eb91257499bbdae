import type { Day } from '@pc/domain/month/day.ts'
import { dayTextWithWeekday } from '@pc/domain/month/day-text.ja.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Badge, Card } from '@pc/ui/elements/card.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { base64Of, fileSizeProblem, SENT_FILE_LIMIT } from '@pc/ui/form/sent-file.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { formatInstant } from '@pc/ui/text/format.ts'
import { useRef, useState } from 'react'
import { ImportHolidayFileDocument } from './import-holiday-file.gen.ts'
import styles from './payment-settings.module.css'
import type { SectionProps } from './setting-words.ts'

/** The Cabinet Office's file; each February it adds the next year. */
const HOLIDAY_FILE = 'https://www8.cao.go.jp/chosei/shukujitsu/syukujitsu.csv'

/** The holiday calendar, by which due dates are computed. Due dates in years that it lacks cannot be computed. */
export function HolidaySection({ settings, onSaved, today }: SectionProps & { today: Day }) {
  const file = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const submit = useSubmission(ImportHolidayFileDocument)
  const { holidays } = settings
  const year = Number(today.slice(0, 4))
  const isShort = holidays !== null && holidays.lastYear <= year
  const load = async (chosen: File) => {
    const tooLarge = fileSizeProblem(chosen)
    setProblem(tooLarge)
    if (tooLarge) return
    setBusy(true)
    try {
      const days = (await submit({ name: chosen.name, content: await base64Of(chosen) })).importHolidayFile
      showToast({ tone: 'success', message: `祝日${days}日分を取り込みました。` })
      onSaved?.()
    } catch (error) {
      const texts = refusalsOf(error).map(refusal => refusal.message)
      setProblem(texts.join(' ') || '取り込めませんでした。もう一度お試しください。')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Card
      title="祝日"
      note={`内閣府が公表している「国民の祝日」のCSV（${SENT_FILE_LIMIT}）を取り込みます`}
      tools={
        onSaved && (
          <>
            <input
              ref={file}
              type="file"
              accept=".csv,text/csv"
              aria-label="祝日のCSVファイル"
              className="visually-hidden"
              tabIndex={-1}
              onChange={event => {
                const chosen = event.target.files?.[0]
                if (chosen) void load(chosen)
                event.target.value = ''
              }}
            />
            <Button disabled={isBusy} onClick={() => file.current?.click()}>
              {isBusy ? '取り込んでいます…' : '祝日のファイルを取り込む'}
            </Button>
          </>
        )
      }
    >
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <p>
        ファイルは<a href={HOLIDAY_FILE}>内閣府のページからダウンロード</a>できます（syukujitsu.csv）。
      </p>
      {holidays === null ? (
        <p>祝日がまだ取り込まれていません。支払期日を計算できません。</p>
      ) : (
        <>
          <p>
            {`${holidays.firstYear}年から${holidays.lastYear}年まで ${holidays.days.length}日（${holidays.sourceName}、${formatInstant(holidays.importedAt)}取り込み）`}
            {isShort && <Badge tone="warn">{`${holidays.lastYear + 1}年以降の祝日が必要です`}</Badge>}
          </p>
          <details>
            <summary>今年以降の祝日を見る</summary>
            <ul className={styles.holidays}>
              {holidays.days
                .filter(each => each.day >= `${year}-01-01`)
                .map(each => (
                  <li key={each.day}>{`${dayTextWithWeekday(each.day as Day)} ${each.name}`}</li>
                ))}
            </ul>
          </details>
        </>
      )}
    </Card>
  )
}
