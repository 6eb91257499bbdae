import { useQuery } from '@apollo/client/react'
import { Waterfall } from '@pc/ui/chart/waterfall.tsx'
import { FailedContent, Skeleton } from '@pc/ui/routing/screen-states.tsx'
import styles from './bridge-panel.module.css'
import { PaymentChangeDocument } from './payment-change.gen.ts'

/** Why a payment differs from that of the month before; draws nothing when there is nothing to compare. */
export function PaymentChange({ kind, id }: { kind: 'payment' | 'publisher_payment'; id: string }) {
  const { data, loading, error, refetch } = useQuery(PaymentChangeDocument, { variables: { kind, id } })
  const change = data?.paymentChange
  if (!change && !loading && !error) return null
  return (
    <section className={styles.panel} aria-busy={loading}>
      <h3 className={styles.heading}>前月との差</h3>
      {change ? (
        <>
          <p>{change.sentence}</p>
          <Waterfall caption="前月の支払額から今回の支払額まで" steps={change.steps} />
        </>
      ) : error ? (
        <FailedContent onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={220} />
      )}
    </section>
  )
}
