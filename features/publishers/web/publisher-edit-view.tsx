import { PUBLISHER_FIELD_LABELS_JA } from '@pc/domain/publisher/publisher-record.ts'
import { CopyId } from '@pc/ui/elements/copy-id.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { fieldWords } from '@pc/ui/history/field-words.ts'
import { RecordHistory } from '@pc/ui/history/record-history.tsx'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import { lazy } from '@pc/ui/routing/lazy.ts'
import { RecordScreen } from '@pc/ui/routing/record-screen.tsx'
import { isStaffViewer } from '@pc/ui/session/viewer.tsx'
import { Suspense } from 'react'
import { PUBLISHERS_PATH } from '../links.ts'
import styles from './publisher.module.css'
import {
  type PublisherEditQuery,
  UpsertPublisherDocument,
  UpsertPublisherWithRulesDocument,
} from './publisher-edit.gen.ts'
import { PublisherForm } from './publisher-form.tsx'
import { publisherRights } from './publisher-rights.ts'
import { publisherTitle } from './publisher-title.ts'
import { publisherInput, publisherValuesOf, ruleInputs } from './publisher-values.ts'

const WORDS = fieldWords(PUBLISHER_FIELD_LABELS_JA, { enabled: value => (value === true ? '有効' : '無効') })

const PublisherMonths = lazy(() =>
  import('./publisher-months.tsx').then(module => ({ default: module.PublisherMonths })),
)

export function PublisherEditView(props: ScreenProps<object, PublisherEditQuery>) {
  const { viewer, today, ids } = props
  const rights = publisherRights(viewer)
  const showsMonths = rights.shown.withRules && rights.shown.withRates
  const save = useSubmission(UpsertPublisherDocument)
  const saveWithRules = useSubmission(UpsertPublisherWithRulesDocument)
  return (
    <RecordScreen
      {...props}
      listAddress={addressOf(PUBLISHERS_PATH)}
      title={publisherTitle(viewer)}
      record={props.data?.publisher ?? undefined}
      name={publisher => publisher.name}
      actions={publisher => isStaffViewer(viewer) && <CopyId label="パブリッシャーID" id={publisher.id} />}
    >
      {publisher => (
        <PublisherForm
          key={publisher.id}
          title={publisherTitle(viewer)}
          viewer={viewer}
          today={today}
          publisher={publisher}
          initial={publisherValuesOf(publisher, today, props.data?.firstOpenMonth)}
          send={(values, expectedRevision) => {
            const input = {
              ...publisherInput(values, rights),
              id: publisher.id,
              ...(expectedRevision === undefined ? {} : { expectedRevision }),
            }
            if (!rights.sendable.rules) return save({ publisher: input })
            return saveWithRules({ publisher: input, agreementPublisherRules: ruleInputs(values, rights) })
          }}
          aside={
            (showsMonths || rights.shown.withNotes) && (
              <div className={styles.aside}>
                {showsMonths && (
                  <Suspense fallback={null}>
                    <PublisherMonths
                      id={publisher.id}
                      today={today}
                      withInHouse={rights.shown.withInHouse}
                      mayCompute={viewer.can('write:create', 'insight:dividend.')}
                    />
                  </Suspense>
                )}
                {rights.shown.withNotes && <RecordHistory kind="publisher" id={ids.id ?? ''} words={WORDS} />}
              </div>
            )
          }
        />
      )}
    </RecordScreen>
  )
}
