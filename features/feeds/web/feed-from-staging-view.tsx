import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { RegisterFromStaging } from '@pc/ui/list/register-from-staging.tsx'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import { FEEDS_PATH } from '../links.ts'
import { FeedForm } from './feed-form.tsx'
import { feedInput, stagingFeedValues } from './feed-values.ts'
import { CreateFeedFromStagingDocument, StagingFeedOptionsDocument } from './feeds.gen.ts'
import { feedRights } from './feeds-query.ts'

const TITLE = '取り込み待ちのフィードから登録'

/** Creates a feed from one of the staging system. */
export function FeedFromStagingView({ viewer }: ScreenProps<object, unknown>) {
  const submit = useSubmission(CreateFeedFromStagingDocument)
  const { sendable } = feedRights(viewer)
  return (
    <RegisterFromStaging
      title={TITLE}
      noun="取り込み待ちのフィード"
      document={StagingFeedOptionsDocument}
      list={data => data.stagingFeeds}
      backAddress={addressOf(FEEDS_PATH)}
      form={chosen => (
        <FeedForm
          title={TITLE}
          viewer={viewer}
          initial={stagingFeedValues(chosen)}
          send={values => submit({ input: { ...feedInput(values, sendable), stagingFeedId: chosen.id } })}
        />
      )}
    />
  )
}
