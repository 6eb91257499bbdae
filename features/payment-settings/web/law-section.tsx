import { rulesInForce } from '@pc/domain/agreement/law-guard.ts'
import { LAW_RULES } from '@pc/domain/agreement/law-rules.ts'
import { monthsShiftedTooFar } from '@pc/domain/agreement/payment-law.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { dayText, monthText } from '@pc/domain/month/day-text.ja.ts'
import { formatYearMonth, monthOfDay, parseYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'
import { nextWithheldTaxes } from '@pc/domain/transfer/withheld-taxes.ja.ts'
import { Badge, type BadgeTone, Card } from '@pc/ui/elements/card.tsx'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import styles from './payment-settings.module.css'
import type { Settings } from './setting-words.ts'

const SEVERITIES: Readonly<Record<string, { label: string; tone: BadgeTone }>> = {
  error: { label: '保存できない', tone: 'bad' },
  warning: { label: '確認が必要', tone: 'warn' },
  note: { label: 'お知らせ', tone: 'mute' },
}

type Rule = (typeof LAW_RULES)[number]

/** Legal rules for agreements and payments: those in force today and known future changes. */
export function LawSection({ settings, today }: { settings: Settings; today: Day }) {
  return (
    <Card title="法令ルール" note="契約の保存時と月次締めの時に確認します" flush>
      <NextChanges settings={settings} today={today} />
      <ShiftedMonths settings={settings} today={today} />
      <DataTable<Rule>
        caption="現在の法令ルール"
        rows={rulesInForce(today)}
        rowKey={row => `${row.id}/${row.validFrom}`}
        columns={[
          {
            id: 'text',
            header: '内容',
            isHeading: true,
            cell: row => (
              <>
                <span className={styles.law}>{row.text}</span>
                <small className={styles.source}>{row.source}</small>
              </>
            ),
          },
          {
            id: 'severity',
            header: '違反したとき',
            cell: row => {
              const severity = SEVERITIES[row.severity]
              return <Badge tone={severity?.tone ?? 'mute'}>{severity?.label ?? row.severity}</Badge>
            },
          },
          { id: 'from', header: '適用開始', cell: row => dayText(row.validFrom) },
          {
            id: 'until',
            header: '適用終了',
            cell: row => (row.validUntil === null ? '定めなし' : dayText(row.validUntil)),
          },
        ]}
      />
    </Card>
  )
}

/** Months in which the shift of due dates over bank holidays makes payments to legally protected payees late. */
function ShiftedMonths({ settings, today }: { settings: Settings; today: Day }) {
  const { holidays } = settings
  if (!holidays) return null
  const days = new Map(holidays.days.map(({ day, name }) => [day as Day, name]))
  const shiftOf = (month: YearMonth) =>
    settings.payout.find(line => line.validFromMonth <= formatYearMonth(month))?.businessDayShift ?? 'previous'
  const shifted = monthsShiftedTooFar(today, shiftOf, { ...holidays, holidays: days })
  if (shifted.length === 0) return null
  const list = shifted.map(each => `${monthText(each.month)}分（${dayText(each.dueOn)}払い）`).join('、')
  return (
    <p className={styles.next}>
      銀行休業日に翌営業日払いとする設定では、{list}
      の支払が、法定の期限から2日を超えて遅れます。取適法・フリーランス法の対象の支払先がある場合は、前営業日払いに変更してください。
    </p>
  )
}

interface NextChange {
  readonly at: string
  readonly when: string
  readonly text: string
}

function withheldTaxes(today: Day): NextChange[] {
  const next = nextWithheldTaxes(today)
  if (!next) return []
  return [
    {
      at: next.paidFrom,
      when: `${dayText(next.paidFrom)}の支払から`,
      text: `源泉徴収する税の内訳が、${next.text}になります。税率の合計は変わりません`,
    },
  ]
}

function NextChanges({ settings, today }: { settings: Settings; today: Day }) {
  const month = monthOfDay(today)
  const dated = (lines: readonly { validFromMonth: string; percent: number }[], what: string): NextChange[] =>
    lines.flatMap(line => {
      const from = parseYearMonth(line.validFromMonth)
      if (from === undefined || from <= month) return []
      return [
        { at: line.validFromMonth, when: `${monthText(from)}分から`, text: `${what}が${line.percent}%になります` },
      ]
    })
  const changes = [
    ...dated(settings.inputTaxDeductions, '登録のない支払先の仕入税額控除の割合'),
    ...dated(settings.consumptionTax, '消費税率'),
    ...withheldTaxes(today),
    ...LAW_RULES.flatMap((rule): NextChange[] =>
      rule.validFrom > today
        ? [{ at: rule.validFrom, when: `${dayText(rule.validFrom)}から`, text: rule.text }]
        : rule.validUntil !== null && rule.validUntil > today
          ? [{ at: rule.validUntil, when: `${dayText(rule.validUntil)}に終了`, text: rule.text }]
          : [],
    ),
  ].toSorted((a, b) => (a.at < b.at ? -1 : 1))
  if (changes.length === 0) return <p className={styles.next}>予定されている変更はありません。</p>
  return (
    <ul className={styles.next} aria-label="今後の変更">
      {changes.map(change => (
        <li key={`${change.at}${change.text}`}>
          <b>{change.when}</b>
          {change.text}
        </li>
      ))}
    </ul>
  )
}
