import { useFirstOpenMonth } from '@pc/ui/data/first-open-month.ts'
import { ScreenTop } from '@pc/ui/elements/list-top.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import type { ScreenProps } from '@pc/ui/routing/define-route.ts'
import { Skeleton } from '@pc/ui/routing/screen-states.tsx'
import { UpsertPublisherWithRulesDocument } from './publisher-edit.gen.ts'
import { PublisherForm } from './publisher-form.tsx'
import { publisherRights } from './publisher-rights.ts'
import { newPublisherValues, publisherInput, ruleInputs } from './publisher-values.ts'

export function PublisherCreateView({ viewer, today }: ScreenProps<object, unknown>) {
  const month = useFirstOpenMonth(today)
  const submit = useSubmission(UpsertPublisherWithRulesDocument)
  const rights = publisherRights(viewer)
  return (
    <>
      <ScreenTop title="パブリッシャーの登録" />
      {month === undefined ? (
        <Skeleton height={320} />
      ) : (
        <PublisherForm
          title="パブリッシャーの登録"
          viewer={viewer}
          today={today}
          initial={newPublisherValues(month)}
          send={values =>
            submit({ publisher: publisherInput(values, rights), agreementPublisherRules: ruleInputs(values, rights) })
          }
        />
      )}
    </>
  )
}
