import { useQuery } from '@apollo/client/react'
import formStyles from '@pc/ui/form/form.module.css'
import { useId } from 'react'
import type { PreviewTransfersQuery } from './preview-transfers.gen.ts'
import { ReturnedAccountsDocument } from './returned-accounts.gen.ts'
import styles from './transfers.module.css'

type Payment = NonNullable<PreviewTransfersQuery['previewTransfers']>['transfers'][number]['payments'][number]

interface ReturnedAccountsProps {
  payments: readonly Payment[]
  /** Account by payment; without one the account of the finalised month is kept. */
  chosen: Readonly<Record<string, string>>
  onChoose: (accounts: Readonly<Record<string, string>>) => void
}

/** Payments that came back, each with the choice of another account of the same organisation. */
export function ReturnedAccounts({ payments, chosen, onChoose }: ReturnedAccountsProps) {
  if (payments.length === 0) return null
  return (
    <section className={styles.returned} aria-label="組戻しになった支払">
      <h3>組戻しになった支払の振込先</h3>
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
        {`支払${payment.monthlyPaymentId}（理由: ${payment.returnedReason ?? '不明'}）`}
      </label>
      <select
        id={id}
        className={formStyles.input}
        value={props.value}
        onChange={event => props.onChange(event.target.value)}
      >
        <option value="">確定した月と同じ口座</option>
        {data?.bankAccounts?.nodes.map(account => (
          <option key={account.id} value={account.id}>
            {`${account.bank?.name ?? ''} ${account.bankBranch?.name ?? ''} ${account.holder}`}
          </option>
        ))}
      </select>
    </div>
  )
}
