import { ScreenTop } from '@pc/ui/elements/list-top.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import type { ScreenProps } from '@pc/ui/routing/define-route.ts'
import { FeedForm } from './feed-form.tsx'
import { feedInput, NEW_FEED_VALUES } from './feed-values.ts'
import { UpsertFeedDocument } from './feeds.gen.ts'
import { feedRights } from './feeds-query.ts'

export function FeedCreateView({ viewer }: ScreenProps<object, unknown>) {
  const submit = useSubmission(UpsertFeedDocument)
  const { sendable } = feedRights(viewer)
  return (
    <>
      <ScreenTop title="フィードの登録" />
      <FeedForm
        title="フィードの登録"
        viewer={viewer}
        initial={NEW_FEED_VALUES}
        send={values => submit({ input: feedInput(values, sendable) })}
      />
    </>
  )
}
