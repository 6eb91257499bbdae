import type { Day } from '@pc/domain/month/day.ts'
import { dayText } from '@pc/domain/month/day-text.ja.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Dialog } from '@pc/ui/feedback/dialog.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { ProblemList } from '@pc/ui/form/problem-list.tsx'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { formatInteger } from '@pc/ui/text/format.ts'
import { useState } from 'react'
import { contractText, type StatementRow } from './statement-words.ts'
import { ConfirmStatementDocument } from './statements.gen.ts'
import styles from './statements.module.css'

/** A statement that is confirmed with others; the hash names the text that the person saw. */
export type ConfirmedStatement = Pick<
  StatementRow,
  'id' | 'numberText' | 'agreementName' | 'payeeName' | 'total' | 'deemedOn'
> & { readonly hash: string }

/** Confirms several statements one after the other. The refusal of one is shown, and the others are confirmed. */
export function ConfirmStatementsDialog(props: {
  statements: readonly ConfirmedStatement[]
  /** The address at which a statement can be read before it is confirmed. */
  openAddress: (id: string) => string
  onClose: () => void
  onDone: () => void
}) {
  const { statements, openAddress, onClose, onDone } = props
  const confirmOne = useSubmission(ConfirmStatementDocument)
  const [done, setDone] = useState<ReadonlySet<string>>(new Set())
  const [problems, setProblems] = useState<readonly string[]>([])
  const [isBusy, setBusy] = useState(false)
  const left = statements.filter(({ id }) => !done.has(id))
  const run = async () => {
    if (isBusy) return
    setBusy(true)
    const confirmed = new Set(done)
    const found: string[] = []
    for (const { id, hash, numberText } of left) {
      try {
        await confirmOne({ id, hash })
        confirmed.add(id)
      } catch (error) {
        const texts = refusalsOf(error).map(each => each.message)
        found.push(`${numberText}：${texts.join('') || '確認済みにできませんでした。もう一度お試しください。'}`)
      }
      setDone(new Set(confirmed))
    }
    setProblems(found)
    setBusy(false)
    onDone()
    if (found.length > 0) return
    showToast({ tone: 'success', message: `支払通知書${formatInteger(statements.length)}件を確認済みにしました。` })
    onClose()
  }
  return (
    <Dialog
      title={`支払通知書${formatInteger(statements.length)}件の内容を確認しましたか？`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>キャンセル</Button>
          <Button tone="primary" aria-disabled={isBusy} onClick={() => void run()}>
            {isBusy
              ? `確認済みにしています…（${formatInteger(done.size)}/${formatInteger(statements.length)}）`
              : `${formatInteger(left.length)}件を確認済みにする`}
          </Button>
        </>
      }
    >
      <ProblemList texts={problems} />
      <p>内容に相違があるものは、番号を押して開き、「照会する」からお知らせください。</p>
      <ul className={styles.several}>
        {left.map(statement => (
          <li key={statement.id}>
            <a href={openAddress(statement.id)}>{statement.numberText}</a>
            <span>{contractText(statement) || statement.agreementName}</span>
            <b className="num">{`${formatInteger(statement.total)}円`}</b>
            <small>{`期限 ${dayText(statement.deemedOn as Day)}`}</small>
          </li>
        ))}
      </ul>
      <p>
        合計（税込） <b>{formatInteger(left.reduce((sum, each) => sum + each.total, 0))}</b>円
      </p>
    </Dialog>
  )
}
