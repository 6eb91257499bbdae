import { useQuery } from '@apollo/client/react'
import { MEDIA_PATH, MEDIUM_CREATE_PATH } from '@pc/features/media/links.ts'
import { useMedia } from '@pc/ui/data/entity-options.ts'
import { SelectField } from '@pc/ui/form/choice-field.tsx'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import type { Viewer } from '@pc/ui/session/viewer.tsx'
import type { Control } from 'react-hook-form'
import { MediaForAgreementsDocument } from './agreement-media.gen.ts'
import type { AgreementValues } from './agreement-values.ts'

interface MediumChoiceProps {
  control: Control<AgreementValues>
  viewer: Viewer
}

/** The medium of a new agreement: media that still take agreements, or a link to create the first medium. */
export function MediumChoice({ control, viewer }: MediumChoiceProps) {
  const { data } = useQuery(MediaForAgreementsDocument, { fetchPolicy: 'cache-and-network' })
  const media = data?.media?.nodes
  const field = { control, name: 'mediumId', label: '媒体', isRequired: true } as const
  return (
    <SelectField
      {...field}
      options={(media ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      hint={media?.length === 0 ? <NoMedium viewer={viewer} /> : undefined}
    />
  )
}

function NoMedium({ viewer }: Pick<MediumChoiceProps, 'viewer'>) {
  if (!viewer.can('write:create', 'insight:medium.'))
    return '契約を受け付けている媒体がありません。管理者に媒体の登録を依頼してください。'
  return (
    <>
      契約を受け付けている媒体がありません。
      <a href={addressOf(MEDIUM_CREATE_PATH)}>媒体を登録</a>するか、<a href={addressOf(MEDIA_PATH)}>媒体の一覧</a>
      で終了日を確認してください。
    </>
  )
}

/** The medium of an existing agreement, which never changes and may be retired. */
export function FixedMedium({ control, reason }: Pick<MediumChoiceProps, 'control'> & { reason: string }) {
  const media = useMedia()
  const field = { control, name: 'mediumId', label: '媒体', isRequired: true } as const
  return <SelectField {...field} options={media.options} readOnlyReason={reason} />
}
