import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { RegisterFromStaging } from '@pc/ui/list/register-from-staging.tsx'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import { PUBLISHERS_PATH } from '../links.ts'
import { CreatePublisherFromStagingDocument, StagingPublisherOptionsDocument } from './publisher-edit.gen.ts'
import { PublisherForm } from './publisher-form.tsx'
import { publisherRights } from './publisher-rights.ts'
import { publisherInput, ruleInputs, stagingValues } from './publisher-values.ts'

const TITLE = '取り込み待ちから登録'

/** Creates a publisher from one of the staging system. */
export function PublisherFromStagingView({ viewer, today }: ScreenProps<object, unknown>) {
  const submit = useSubmission(CreatePublisherFromStagingDocument)
  const rights = publisherRights(viewer)
  return (
    <RegisterFromStaging
      title={TITLE}
      noun="取り込み待ちのパブリッシャー"
      document={StagingPublisherOptionsDocument}
      list={data => data.stagingPublishers}
      backAddress={addressOf(PUBLISHERS_PATH)}
      form={chosen => (
        <PublisherForm
          title={TITLE}
          viewer={viewer}
          today={today}
          initial={stagingValues(chosen, today)}
          send={values => {
            const { organizationId, ...publisher } = publisherInput(values, rights)
            return submit({
              publisher: { ...publisher, organizationId: organizationId ?? '', stagingPublisherId: chosen.id },
              agreementPublisherRules: ruleInputs(values, rights),
            })
          }}
        />
      )}
    />
  )
}
