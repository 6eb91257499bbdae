import { Button } from '@pc/ui/elements/button.tsx'
import { Dialog } from '@pc/ui/feedback/dialog.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { ProblemList } from '@pc/ui/form/problem-list.tsx'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { todayInTokyo } from '@pc/ui/text/clock-day.ts'
import { formatInteger } from '@pc/ui/text/format.ts'
import { useState } from 'react'
import { DayInput } from '../../core/web/day-input.tsx'
import styles from '../../core/web/payments.module.css'
import { MarkPaidDocument } from './mark-paid.gen.ts'
import type { PaymentRow } from './payment-columns.tsx'

/** Marks payments that were paid without our bank file, for example on the bank's website or by set-off. All or none. */
export function MarkPaidDialog(props: { payments: readonly PaymentRow[]; onClose: () => void; onDone: () => void }) {
  const { payments, onClose, onDone } = props
  const today = todayInTokyo()
  const markPaid = useSubmission(MarkPaidDocument)
  const [paidOn, setPaidOn] = useState<string>(today)
  const [problems, setProblems] = useState<readonly string[]>([])
  const [problemOfDay, setProblemOfDay] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const submit = async () => {
    if (isBusy) return
    if (paidOn === '') return setProblemOfDay('支払日を入力してください。')
    setBusy(true)
    setProblems([])
    try {
      const { markPaid: count } = await markPaid({ ids: payments.map(({ id }) => id), paidOn })
      showToast({ tone: 'success', message: `支払${formatInteger(count)}件を支払済みにしました。` })
      onDone()
      onClose()
    } catch (error) {
      const refusals = refusalsOf(error)
      const ofDay = refusals.filter(({ path }) => path.at(-1) === 'paidOn')
      setProblemOfDay(ofDay.map(({ message }) => message).join('') || undefined)
      const others = refusals.filter(one => !ofDay.includes(one)).map(({ message }) => message)
      setProblems(refusals.length === 0 ? ['登録できませんでした。もう一度お試しください。'] : others)
    } finally {
      setBusy(false)
    }
  }
  const total = payments.reduce((sum, row) => sum + row.paymentIncludingTax, 0)
  return (
    <Dialog
      title="振込データを使わずに支払った支払を登録"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>キャンセル</Button>
          <Button tone="primary" aria-disabled={isBusy} onClick={() => void submit()}>
            {`${formatInteger(payments.length)}件を支払済みにする`}
          </Button>
        </>
      }
    >
      <div className={styles.marked}>
        <ProblemList texts={problems} />
        <p>{`${formatInteger(payments.length)}件、税込 ${formatInteger(total)}円`}</p>
        <p>
          支払ったことを確認してから登録してください。登録した支払は振込データに入らなくなります。源泉徴収税額は計算しますが、振込手数料は計上しません。振込データに入れた支払の結果は、「振込」の画面で登録します。
        </p>
        <DayInput
          label="支払日"
          value={paidOn}
          max={today}
          problem={problemOfDay}
          onChange={day => {
            setPaidOn(day)
            setProblemOfDay(undefined)
          }}
        />
      </div>
    </Dialog>
  )
}
