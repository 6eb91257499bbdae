import { BANK_ACCOUNT_WAITING_DAYS, MAX_REJECTION_REASON, usableFrom } from '@pc/domain/bank/pending-bank-account.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { dayText } from '@pc/domain/month/day-text.ja.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { confirm } from '@pc/ui/feedback/confirm.tsx'
import { ReasonDialog } from '@pc/ui/feedback/reason-dialog.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { useState } from 'react'
import {
  ApproveBankAccountDocument,
  type BankAccountsQuery,
  CancelBankAccountSwitchesDocument,
  RejectBankAccountDocument,
} from './bank-accounts.gen.ts'

type Account = NonNullable<BankAccountsQuery['bankAccounts']>['nodes'][number]

/** Approves or rejects a request; nobody decides about the own one. */
export function AccountDecision(props: { account: Account; today: Day; onDecided: () => void }) {
  const { account, onDecided } = props
  const usable = dayText(usableFrom(props.today))
  const approve = useSubmission(ApproveBankAccountDocument)
  const reject = useSubmission(RejectBankAccountDocument)
  const [isRejecting, setRejecting] = useState(false)
  const name = `${account.organization?.name ?? ''} ${account.bank?.name ?? ''} ${account.number ?? ''}`
  const planned = (account.uses ?? []).map(use => use.agreementName)
  const decided = (message: string) => {
    showToast({ tone: 'success', message })
    onDecided()
  }
  const onApprove = async () => {
    const isAgreed = await confirm({
      title: `${account.organization?.name ?? ''}の口座を承認しますか？`,
      body: (
        <>
          <p>
            {account.bank?.name} {account.bankBranch?.name} {account.number}
            <br />
            {account.holder}
          </p>
          {planned.length > 0 && (
            <p>{`${usable}に、次の契約の振込口座が自動で切り替わります：${planned.join('、')}`}</p>
          )}
          <p>
            {`名義と番号を書面で確認してください。安全のため、承認から${BANK_ACCOUNT_WAITING_DAYS}日が過ぎる${usable}から、契約の振込口座に設定できます。申請した方と管理者にはメールでお知らせします。`}
          </p>
        </>
      ),
      action: '口座を承認する',
    })
    if (!isAgreed) return
    try {
      await approve({ id: account.id, expectedRevision: account.revision })
      decided(
        planned.length > 0
          ? `口座を承認しました。${usable}に契約の振込口座が切り替わります。`
          : `口座を承認しました。${usable}から契約に設定できます。`,
      )
    } catch (error) {
      // A refusal has been said by its toast; the list may have changed meanwhile.
      if (refusalsOf(error).length > 0) onDecided()
    }
  }
  const reason = account.isOwnRequest ? '自分が申請した口座は承認できません。ほかの担当者に依頼してください' : undefined
  return (
    <span style={{ display: 'inline-flex', gap: 8 }}>
      <Button
        disabled={account.isOwnRequest}
        title={reason}
        aria-label={`${name}を承認する`}
        onClick={() => void onApprove()}
      >
        承認
      </Button>
      <Button
        tone="quiet"
        disabled={account.isOwnRequest}
        title={reason}
        aria-label={`${name}を却下する`}
        onClick={() => setRejecting(true)}
      >
        却下
      </Button>
      {isRejecting && (
        <ReasonDialog
          title="口座の申請を却下します"
          about={account.id}
          note="理由は申請した方に通知されます。"
          label="却下の理由"
          action="申請を却下する"
          maxLength={MAX_REJECTION_REASON}
          onClose={() => setRejecting(false)}
          onSubmit={async text => {
            await reject({ id: account.id, reason: text, expectedRevision: account.revision })
            setRejecting(false)
            decided('口座の申請を却下しました。')
          }}
        />
      )}
    </span>
  )
}

/** Stops the planned use of an approved account, for example after an objection. */
export function SwitchCancellation({ account, onDone }: { account: Account; onDone: () => void }) {
  const cancel = useSubmission(CancelBankAccountSwitchesDocument)
  const planned = (account.uses ?? []).filter(use => use.state === 'planned').map(use => use.agreementName)
  const name = `${account.organization?.name ?? ''} ${account.bank?.name ?? ''} ${account.number ?? ''}`
  const onCancel = async () => {
    const isAgreed = await confirm({
      title: '口座の切り替えを取り消しますか？',
      body: <p>{`次の契約は、いまの振込口座のままになります：${planned.join('、')}`}</p>,
      action: '切り替えを取り消す',
    })
    if (!isAgreed) return
    try {
      await cancel({ id: account.id })
      showToast({ tone: 'success', message: '口座の切り替えを取り消しました。' })
    } finally {
      onDone()
    }
  }
  return (
    <Button tone="quiet" aria-label={`${name}への切り替えを取り消す`} onClick={() => void onCancel()}>
      切り替えを取り消す
    </Button>
  )
}
