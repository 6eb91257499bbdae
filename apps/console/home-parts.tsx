import { DutiesStrip } from '@pc/features/duties/web/duties-strip.tsx'
import { SetupGuide } from '@pc/features/setup/web/setup-guide.tsx'
import { lazyPart } from '@pc/ui/routing/lazy-part.tsx'
import { Suspense } from 'react'

const SecondFactorNotice = lazyPart(
  async () => (await import('@pc/features/access/web/second-factor-notice.tsx')).SecondFactorNotice,
)

/** What the home shows above its report; the notice only to those it is for, the guide only until it is done or put away. */
export function HomeParts() {
  return (
    <>
      <Suspense fallback={null}>
        <SecondFactorNotice />
      </Suspense>
      <SetupGuide />
      <DutiesStrip />
    </>
  )
}
