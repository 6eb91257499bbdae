import { addressOf, type ScreenProps } from '@pc/ui/define-route.ts'
import { RecordHistory } from '@pc/ui/history/record-history.tsx'
import { RecordScreen } from '@pc/ui/record-screen.tsx'
import { AGREEMENTS_PATH } from '../links.ts'
import styles from './agreement.module.css'
import { AgreementDocuments } from './agreement-documents.tsx'
import type { AgreementEditQuery } from './agreement-edit.gen.ts'
import { AgreementForm } from './agreement-form.tsx'
import { AGREEMENT_HISTORY_WORDS } from './agreement-history-words.ts'
import { agreementRights } from './agreement-rights.ts'
import { agreementTitle } from './agreement-title.ts'
import { valuesOf } from './agreement-values.ts'
import { TermsHistory } from './terms-history.tsx'

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
              <AgreementDocuments
                agreementId={agreement.id}
                documents={agreement.documents}
                canChange={viewer.can('write:update', 'insight:agreement.')}
              />
              {agreement.termsHistory && <TermsHistory versions={agreement.termsHistory} today={today} />}
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
