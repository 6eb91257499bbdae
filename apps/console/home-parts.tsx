import { SecondFactorNotice } from '@pc/features/access/web/second-factor-notice.tsx'
import { DutiesStrip } from '@pc/features/duties/web/duties-strip.tsx'
import { SetupGuide } from '@pc/features/setup/web/setup-guide.tsx'
import { lazyPart } from '@pc/ui/routing/lazy-part.tsx'
import { isPublisherUser, useViewer } from '@pc/ui/session/viewer.tsx'
import { Suspense } from 'react'

const PayoutTimeline = lazyPart(
  async () => (await import('@pc/features/statements/web/payout-timeline.tsx')).PayoutTimeline,
)

/**
 * The top of the home screen: a notice for those whom it concerns, and the setup guide until it is finished or
 * dismissed.
 */
export function HomeParts() {
  const viewer = useViewer()
  const isPaid = isPublisherUser(viewer) && viewer.can('read:list', 'insight:monthly_payment.')
  return (
    <>
      <SecondFactorNotice />
      <SetupGuide />
      {isPaid && (
        <Suspense fallback={null}>
          <PayoutTimeline />
        </Suspense>
      )}
      <DutiesStrip />
    </>
  )
}
