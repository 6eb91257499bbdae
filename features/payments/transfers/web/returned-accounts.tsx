import { useQuery } from '@apollo/client/react'
import { isWaiting } from '@pc/domain/bank/pending-bank-account.ts'
import { day } from '@pc/domain/month/day.ts'
import { dayText } from '@pc/domain/month/day-text.ja.ts'
import formStyles from '@pc/ui/form/form.module.css'
import { todayInTokyo } from '@pc/ui/text/clock-day.ts'
import { useId } from 'react'
import type { PreviewTransfersQuery } from './preview-transfers.gen.ts'
import { ReturnedAccountsDocument, type ReturnedAccountsQuery } from './returned-accounts.gen.ts'
import styles from './transfers.module.css'

type Planned = NonNullable<PreviewTransfersQuery['previewTransfers']>['transfers'][number]['payments'][number]
type Payment = Planned & { readonly payee: string }

type Account = NonNullable<ReturnedAccountsQuery['bankAccounts']>['nodes'][number]

interface ReturnedAccountsProps {
  payments: readonly Payment[]
  /** Account by payment; without one the account of the finalised month is kept. */
  chosen: Readonly<Record<string, string>>
  onChoose: (accounts: Readonly<Record<string, string>>) => void
}

/** Payments that came back or whose branch has vanished, each with the choice of another account of the same organisation. */
export function ReturnedAccounts({ payments, chosen, onChoose }: ReturnedAccountsProps) {
  if (payments.length === 0) return null
  return (
    <section className={styles.returned} aria-label="振込先を変更できる支払">
      <h3>組戻し・支店の廃止があった支払の振込先</h3>
      {payments.map(payment => (
        <AccountChoice
          key={payment.monthlyPaymentId}
          payment={payment}
          value={chosen[payment.monthlyPaymentId] ?? ''}
          onChange={id => {
            const { [payment.monthlyPaymentId]: _before, ...others } = chosen
            onChoose(id === '' ? others : { ...others, [payment.monthlyPaymentId]: id })
          }}
        />
      ))}
    </section>
  )
}

function AccountChoice(props: { payment: Payment; value: string; onChange: (id: string) => void }) {
  const { payment } = props
  const id = useId()
  const { data } = useQuery(ReturnedAccountsDocument, { variables: { organizationId: payment.organizationId } })
  return (
    <div className={formStyles.field}>
      <label className={formStyles.label} htmlFor={id}>
        {`${payment.payee}への支払${payment.monthlyPaymentId}（理由：${payment.returnedReason ?? (payment.isReturned ? '不明' : '支店の廃止')}）`}
      </label>
      <select
        id={id}
        className={formStyles.input}
        value={props.value}
        onChange={event => props.onChange(event.target.value)}
      >
        <option value="">確定した月と同じ口座</option>
        {data?.bankAccounts?.nodes.filter(isThere).map(account => (
          <AccountOption key={account.id} account={account} />
        ))}
      </select>
    </div>
  )
}

/** An account whose waiting period is not over cannot be chosen and names the day from which it can. */
function AccountOption({ account }: { account: Account }) {
  const from = account.usableFrom === null ? null : day(account.usableFrom)
  const name = `${account.bank?.name ?? ''} ${account.bankBranch?.name ?? ''} ${account.holder}`
  return from !== null && isWaiting(from, todayInTokyo()) ? (
    <option value={account.id} disabled>{`${name}（${dayText(from)}から使えます）`}</option>
  ) : (
    <option value={account.id}>{name}</option>
  )
}

function isThere({ bank, bankBranch }: Account): boolean {
  return !bank?.isGone && !bankBranch?.isGone
}
