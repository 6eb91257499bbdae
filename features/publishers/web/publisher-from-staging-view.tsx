import { useQuery } from '@apollo/client/react'
import { addressOf, type ScreenProps } from '@pc/ui/define-route.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { formatInstantDay } from '@pc/ui/format.ts'
import { StagingPicker } from '@pc/ui/list/staging-picker.tsx'
import { ScreenTop } from '@pc/ui/list-top.tsx'
import { useState } from 'react'
import { PUBLISHERS_PATH } from '../links.ts'
import {
  CreatePublisherFromStagingDocument,
  StagingPublisherOptionsDocument,
  type StagingPublisherOptionsQuery,
} from './publisher-edit.gen.ts'
import { PublisherForm } from './publisher-form.tsx'
import { publisherRights } from './publisher-rights.ts'
import { publisherInput, ruleInputs, stagingValues } from './publisher-values.ts'

type Staging = NonNullable<StagingPublisherOptionsQuery['stagingPublishers']>['nodes'][number]

/** One of the publishers that wait in staging is looked through, completed, and becomes a publisher once. */
export function PublisherFromStagingView({ viewer, today }: ScreenProps<object, unknown>) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<Staging>()
  const result = useQuery(StagingPublisherOptionsDocument, { variables: text === '' ? {} : { q: text } })
  const list = (result.data ?? result.previousData)?.stagingPublishers
  const submit = useSubmission(CreatePublisherFromStagingDocument)
  const rights = publisherRights(viewer)
  return (
    <>
      <ScreenTop title="取り込み待ちから登録" note={chosen?.name} />
      {chosen === undefined ? (
        <StagingPicker
          noun="取り込み待ちのパブリッシャー"
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
          backAddress={addressOf(PUBLISHERS_PATH)}
        />
      ) : (
        <PublisherForm
          title="取り込み待ちから登録"
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
    </>
  )
}
