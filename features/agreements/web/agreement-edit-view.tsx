import { CopyId } from '@pc/ui/elements/copy-id.tsx'
import { RecordHistory } from '@pc/ui/history/record-history.tsx'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import { lazy } from '@pc/ui/routing/lazy.ts'
import { RecordScreen } from '@pc/ui/routing/record-screen.tsx'
import { Skeleton } from '@pc/ui/routing/screen-states.tsx'
import { isStaffViewer } from '@pc/ui/session/viewer.tsx'
import { Suspense } from 'react'
import { AGREEMENTS_PATH } from '../links.ts'
import styles from './agreement.module.css'
import type { AgreementEditQuery } from './agreement-edit.gen.ts'
import { AgreementForm } from './agreement-form.tsx'
import { AGREEMENT_HISTORY_WORDS } from './agreement-history-words.ts'
import { agreementRights } from './agreement-rights.ts'
import { agreementTitle } from './agreement-title.ts'
import { valuesOf } from './agreement-values.ts'
import { OpeningBalances } from './opening-balances.tsx'
import { TermsHistory } from './terms-history.tsx'

const AgreementDocuments = lazy(() =>
  import('./agreement-documents.tsx').then(module => ({ default: module.AgreementDocuments })),
)

const AgreementMonths = lazy(() =>
  import('./agreement-months.tsx').then(module => ({ default: module.AgreementMonths })),
)

export function AgreementEditView(props: ScreenProps<object, AgreementEditQuery>) {
  const { viewer, today, ids } = props
  const rights = agreementRights(viewer)
  return (
    <RecordScreen
      {...props}
      listAddress={addressOf(AGREEMENTS_PATH)}
      title={agreementTitle(viewer)}
      record={props.data?.agreement ?? undefined}
      name={agreement => `${agreement.name}（${agreement.code}）`}
      actions={agreement => isStaffViewer(viewer) && <CopyId label="契約ID" id={agreement.id} />}
    >
      {agreement => (
        <AgreementForm
          key={agreement.id}
          title={agreementTitle(viewer)}
          viewer={viewer}
          today={today}
          agreement={agreement}
          initial={valuesOf(agreement, today)}
          aside={
            <div className={styles.aside}>
              <Suspense fallback={<Skeleton height={120} />}>
                <AgreementDocuments
                  agreementId={agreement.id}
                  documents={agreement.documents}
                  canChange={viewer.can('write:update', 'insight:agreement.')}
                />
              </Suspense>
              {agreement.termsHistory && <TermsHistory versions={agreement.termsHistory} today={today} />}
              {rights.shown.withInHouse && (
                <Suspense fallback={null}>
                  <AgreementMonths
                    agreement={agreement}
                    today={today}
                    withAccounts={rights.shown.withAccounts}
                    mayCompute={viewer.can('write:create', 'insight:dividend.')}
                  />
                </Suspense>
              )}
              {agreement.openingBalances && <OpeningBalances balances={agreement.openingBalances} />}
              {rights.shown.withNotes && (
                <RecordHistory kind="agreement" id={ids.id ?? ''} words={AGREEMENT_HISTORY_WORDS} />
              )}
            </div>
          }
        />
      )}
    </RecordScreen>
  )
}
