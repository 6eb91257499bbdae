import { useQuery } from '@apollo/client/react'
import { addressOf, type ScreenProps } from '@pc/ui/define-route.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { formatInstantDay } from '@pc/ui/format.ts'
import { StagingPicker } from '@pc/ui/list/staging-picker.tsx'
import { ScreenTop } from '@pc/ui/list-top.tsx'
import { useState } from 'react'
import { FEEDS_PATH } from '../links.ts'
import { FeedForm } from './feed-form.tsx'
import { feedInput, stagingFeedValues } from './feed-values.ts'
import { CreateFeedFromStagingDocument, StagingFeedOptionsDocument, type StagingFeedOptionsQuery } from './feeds.gen.ts'
import { feedRights } from './feeds-query.ts'

type Staging = NonNullable<StagingFeedOptionsQuery['stagingFeeds']>['nodes'][number]

/** One of the feeds that wait in staging is looked through, completed, and becomes a feed once. */
export function FeedFromStagingView({ viewer }: ScreenProps<object, unknown>) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<Staging>()
  const result = useQuery(StagingFeedOptionsDocument, { variables: text === '' ? {} : { q: text } })
  const list = (result.data ?? result.previousData)?.stagingFeeds
  const submit = useSubmission(CreateFeedFromStagingDocument)
  const { sendable } = feedRights(viewer)
  return (
    <>
      <ScreenTop title="取り込み待ちのフィードから登録" note={chosen?.name} />
      {chosen === undefined ? (
        <StagingPicker
          noun="取り込み待ちのフィード"
          rows={list?.nodes ?? []}
          total={list?.total ?? 0}
          name={staging => staging.name}
          note={staging => `${staging.source}・${formatInstantDay(staging.importedAt)} 取り込み`}
          text={text}
          onSearch={setText}
          onChoose={setChosen}
          isLoading={result.loading}
          error={list ? undefined : result.error}
          retry={() => void result.refetch()}
          backAddress={addressOf(FEEDS_PATH)}
        />
      ) : (
        <FeedForm
          title="取り込み待ちのフィードから登録"
          viewer={viewer}
          initial={stagingFeedValues(chosen)}
          send={values => submit({ input: { ...feedInput(values, sendable), stagingFeedId: chosen.id } })}
        />
      )}
    </>
  )
}
