import type { ScreenProps } from '@pc/ui/define-route.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { ScreenTop } from '@pc/ui/list-top.tsx'
import { UpsertPublisherWithRulesDocument } from './publisher-edit.gen.ts'
import { PublisherForm } from './publisher-form.tsx'
import { publisherRights } from './publisher-rights.ts'
import { newPublisherValues, publisherInput, ruleInputs } from './publisher-values.ts'

export function PublisherCreateView({ viewer, today }: ScreenProps<object, unknown>) {
  const submit = useSubmission(UpsertPublisherWithRulesDocument)
  const rights = publisherRights(viewer)
  return (
    <>
      <ScreenTop title="パブリッシャーの登録" />
      <PublisherForm
        title="パブリッシャーの登録"
        viewer={viewer}
        today={today}
        initial={newPublisherValues(today)}
        send={values =>
          submit({ publisher: publisherInput(values, rights), agreementPublisherRules: ruleInputs(values, rights) })
        }
      />
    </>
  )
}
