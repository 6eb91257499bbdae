import { useApolloClient } from '@apollo/client/react'
import { MEDIUM_FIELD_LABELS_JA as LABELS, MEDIUM_BOUNDS } from '@pc/domain/medium/medium.ts'
import { DateField } from '@pc/ui/form/date-field.tsx'
import { EntityForm } from '@pc/ui/form/entity-form.tsx'
import { FormSection } from '@pc/ui/form/form-section.tsx'
import { IntegerField } from '@pc/ui/form/number-field.tsx'
import { TextField } from '@pc/ui/form/text-field.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { addressOf, type ScreenContext } from '@pc/ui/routing/define-route.ts'
import type { ReactNode } from 'react'
import { MEDIA_PATH } from '../links.ts'
import {
  CreateMediumDocument,
  MediumEditDocument,
  type MediumFieldsFragment,
  UpdateMediumDocument,
} from './media.gen.ts'
import {
  changedMediumParam,
  checkMediumValues,
  type MediumValues,
  mediumValuesOf,
  newMediumParam,
  plainNumber,
} from './medium-values.ts'

interface MediumFormProps extends Pick<ScreenContext, 'viewer'> {
  title: string
  initial: MediumValues
  /** Undefined: a new medium. */
  medium?: MediumFieldsFragment
  aside?: ReactNode
}

/** The form of one medium. */
export function MediumForm({ viewer, title, initial, medium, aside }: MediumFormProps) {
  const create = useSubmission(CreateMediumDocument)
  const update = useSubmission(UpdateMediumDocument)
  const client = useApolloClient()
  const canSave = viewer.can(medium ? 'write:update' : 'write:create', 'insight:medium.')
  const send = async (values: MediumValues, expectedRevision: number | undefined) => {
    if (medium)
      await update({
        id: medium.id,
        param: { ...changedMediumParam(values), expectedRevision: expectedRevision ?? null },
      })
    else await create({ param: newMediumParam(values) })
    // Name or order may have changed, so the cached list of filters is discarded.
    client.cache.evict({ id: 'ROOT_QUERY', fieldName: 'availableMedia' })
  }
  return (
    <EntityForm<MediumValues, void>
      title={title}
      initial={initial}
      revision={medium?.revision}
      check={checkMediumValues}
      send={send}
      saved={(_answer, values) => ({
        message: `媒体「${values.name}」を${medium ? '保存' : '登録'}しました。`,
        address: addressOf(MEDIA_PATH),
      })}
      {...(medium
        ? {
            async loadLatest() {
              const query = { query: MediumEditDocument, variables: { id: medium.id } }
              const latest = (await client.query({ ...query, fetchPolicy: 'network-only' })).data?.medium
              if (!latest) throw new Error('the medium is gone')
              return { values: mediumValuesOf(latest), revision: latest.revision }
            },
          }
        : {})}
      cancelAddress={addressOf(MEDIA_PATH)}
      submitLabel={medium ? '変更を保存する' : '媒体を登録する'}
      readOnlyReason={canSave ? undefined : '閲覧のみの権限です。変更が必要な場合は管理者に依頼してください。'}
      aside={aside}
    >
      {control => (
        <>
          <FormSection title="基本情報" note="記事や動画を配信するサービスごとに登録します。契約は媒体ごとに結びます。">
            <TextField
              control={control}
              name="name"
              label={LABELS.name}
              isRequired
              maxLength={MEDIUM_BOUNDS.name}
              placeholder="例：ニュースアプリ"
              hint="契約、レポート、支払通知書に表示します。"
            />
            <TextField
              control={control}
              name="id"
              label="媒体番号"
              tidy={plainNumber}
              {...(medium
                ? { readOnlyReason: '登録後は変更できません。' }
                : {
                    hint: '統計ファイルの medium_id に書く番号です。空欄の場合は次の番号を付けます。登録後は変更できません。',
                  })}
            />
            <TextField
              control={control}
              name="code"
              label={LABELS.code}
              maxLength={MEDIUM_BOUNDS.code}
              placeholder="例：news"
              tidy={code => code.normalize('NFKC').trim().toLowerCase()}
              hint="半角の英小文字・数字・「-」「_」の短い名前です。空欄の場合は番号から付けます。"
            />
            <IntegerField
              control={control}
              name="displayOrder"
              label={LABELS.displayOrder}
              hint={`媒体を選ぶ一覧に、小さい順に表示します。${medium ? '' : '空欄の場合は最後になります。'}`}
            />
          </FormSection>
          <FormSection
            title="終了"
            note="配信を終えるときに設定します。実績、レポート、精算中の支払はそのまま残ります。"
          >
            <DateField
              control={control}
              name="retiredOn"
              label={LABELS.retiredOn}
              width="medium"
              hint="この日から新しい契約を受け付けません。既存の契約の精算は続きます。空欄の場合は終了しません。"
            />
          </FormSection>
        </>
      )}
    </EntityForm>
  )
}
