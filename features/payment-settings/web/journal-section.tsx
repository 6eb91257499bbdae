import { MAX_JOURNAL_ACCOUNT_TEXT } from '@pc/domain/journal/journal-accounts.ja.ts'
import { isoMonthText } from '@pc/domain/month/day-text.ja.ts'
import { formatYearMonth } from '@pc/domain/month/year-month.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Card } from '@pc/ui/elements/card.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { useState } from 'react'
import styles from './payment-settings.module.css'
import { RemoveLine } from './remove-line.tsx'
import { SaveJournalAccountsDocument } from './save-journal-accounts.gen.ts'
import { SettingDialog } from './setting-dialog.tsx'
import { MonthSelect, SettingText, startMonths } from './setting-inputs.tsx'
import { type JournalLine, revisionOf, type SectionProps, type Settings } from './setting-words.ts'

/** The platform's account titles for the journal file. */
export function JournalSection({ settings, onSaved }: SectionProps) {
  const [isOpen, setOpen] = useState(false)
  const lists = [...Map.groupBy(settings.journalAccounts, row => row.validFromMonth)]
  return (
    <Card
      title="仕訳の勘定科目"
      note="仕訳データに書き出す科目名、補助科目、部門です。会計ソフトの科目に合わせてください"
      flush
      tools={onSaved && <Button onClick={() => setOpen(true)}>勘定科目を変更する</Button>}
    >
      <DataTable<(typeof lists)[number]>
        caption="仕訳の勘定科目"
        rows={lists}
        rowKey={([month]) => month}
        columns={[
          { id: 'from', header: '適用開始', isHeading: true, cell: ([month]) => `${isoMonthText(month)}分から` },
          {
            id: 'names',
            header: '仕訳の項目：会計ソフトの科目名',
            cell: ([, rows]) => <span className={styles.law}>{rows.map(accountText).join('、')}</span>,
          },
          {
            id: 'remove',
            header: '操作',
            cell: row => (
              <RemoveLine
                settings={settings}
                section="journal_account"
                of="勘定科目"
                line={{ validFromMonth: row[0] }}
                isFirst={row === lists.at(-1)}
                onRemoved={onSaved}
              />
            ),
          },
        ]}
      />
      {isOpen && onSaved && <JournalDialog settings={settings} onClose={() => setOpen(false)} onSaved={onSaved} />}
    </Card>
  )
}

const accountText = ({ label, name, subAccount, department }: JournalLine) =>
  `${label}：${[name, subAccount, department].filter(Boolean).join('／')}`

function JournalDialog(props: { settings: Settings; onClose: () => void; onSaved: () => void }) {
  const { settings } = props
  const save = useSubmission(SaveJournalAccountsDocument)
  const months = startMonths(settings.lastFinalizedMonth)
  const [month, setMonth] = useState(months[0] === undefined ? '' : formatYearMonth(months[0]))
  const [names, setNames] = useState<readonly JournalLine[]>(() => {
    const newest = settings.journalAccounts[0]?.validFromMonth
    return settings.journalAccounts.filter(row => row.validFromMonth === newest)
  })
  return (
    <SettingDialog
      title="仕訳の勘定科目"
      note="選んだ月の仕訳から適用します。確定した月の仕訳は変わりません。補助科目と部門は空欄にできます。freee会計では、補助科目は品目になります。"
      action={`${isoMonthText(month)}分から適用する`}
      typed={{ values: { names }, restore: kept => setNames(kept.names) }}
      missing={names.some(each => each.name.trim() === '') ? '科目名をすべて入力してください。' : null}
      onClose={props.onClose}
      onSaved={props.onSaved}
      onSubmit={() =>
        save({
          expectedRevision: revisionOf(settings, 'journal_account'),
          input: {
            validFromMonth: month,
            names: names.map(({ account, name, subAccount, department }) => ({
              ...{ account, name: name.trim(), subAccount: subAccount.trim(), department: department.trim() },
            })),
          },
        })
      }
    >
      <MonthSelect months={months} value={month} onChange={setMonth} />
      {names.map(line => {
        const change = (parts: Partial<JournalLine>) =>
          setNames(names.map(each => (each === line ? { ...line, ...parts } : each)))
        return (
          <fieldset key={line.account} className={styles.bookAccount}>
            <legend>{line.label}</legend>
            <SettingText
              label="科目名"
              maxLength={MAX_JOURNAL_ACCOUNT_TEXT}
              value={line.name}
              onChange={name => change({ name })}
            />
            <SettingText
              label="補助科目"
              maxLength={MAX_JOURNAL_ACCOUNT_TEXT}
              value={line.subAccount}
              onChange={subAccount => change({ subAccount })}
            />
            <SettingText
              label="部門"
              maxLength={MAX_JOURNAL_ACCOUNT_TEXT}
              value={line.department}
              onChange={department => change({ department })}
            />
          </fieldset>
        )
      })}
    </SettingDialog>
  )
}
