import { useApolloClient } from '@apollo/client/react'
import {
  IN_HOUSE_TEXT_NAMES,
  PUBLISHER_FIELD_LABELS_JA as LABELS,
  MAX_PUBLISHER_NAME,
  OPEN_TEXT_NAMES,
  PUBLISHER_TEXTS as TEXTS,
} from '@pc/domain/publisher/publisher-record.ts'
import { useOrganizationSearch } from '@pc/ui/data/entity-options.ts'
import { Badge } from '@pc/ui/elements/card.tsx'
import { SwitchField } from '@pc/ui/form/choice-field.tsx'
import { EntityForm } from '@pc/ui/form/entity-form.tsx'
import { FormSection } from '@pc/ui/form/form-section.tsx'
import { SuggestField } from '@pc/ui/form/suggest-field.tsx'
import { TextAreaField, TextField } from '@pc/ui/form/text-field.tsx'
import { addressOf, type ScreenContext } from '@pc/ui/routing/define-route.ts'
import type { ReactNode } from 'react'
import { type Control, useFormContext } from 'react-hook-form'
import { PUBLISHERS_PATH } from '../links.ts'
import { PublisherEditDocument, type PublisherEditQuery } from './publisher-edit.gen.ts'
import { publisherRights } from './publisher-rights.ts'
import { PublisherRules } from './publisher-rules.tsx'
import { checkPublisher, type PublisherValues, publisherValuesOf, ruleHistoriesOf } from './publisher-values.ts'

type Publisher = NonNullable<PublisherEditQuery['publisher']>

interface PublisherFormProps extends Pick<ScreenContext, 'viewer' | 'today'> {
  title: string
  initial: PublisherValues
  /** Undefined: a new publisher. */
  publisher?: Publisher
  send: (values: PublisherValues, expectedRevision: number | undefined) => Promise<unknown>
  aside?: ReactNode
}

/** The form of a publisher with its terms under each agreement. */
export function PublisherForm({ viewer, today, title, initial, publisher, send, aside }: PublisherFormProps) {
  const client = useApolloClient()
  const rights = publisherRights(viewer)
  const canSave = viewer.can(publisher ? 'write:update' : 'write:create', 'insight:publisher.')
  return (
    <EntityForm<PublisherValues, unknown>
      title={title}
      initial={initial}
      revision={publisher?.revision}
      check={checkPublisher}
      send={send}
      saved={(_answer, values) => ({
        message: `パブリッシャー「${values.name}」を${publisher ? '保存' : '登録'}しました。`,
        address: addressOf(PUBLISHERS_PATH),
      })}
      {...(publisher
        ? {
            async loadLatest() {
              const answer = await client.query({
                query: PublisherEditDocument,
                variables: { id: publisher.id, ...rights.shown },
                fetchPolicy: 'network-only',
              })
              if (!answer.data?.publisher) throw new Error('the publisher is gone')
              const latest = answer.data.publisher
              return { values: publisherValuesOf(latest, today), revision: latest.revision }
            },
          }
        : {})}
      cancelAddress={addressOf(PUBLISHERS_PATH)}
      submitLabel={publisher ? '変更を保存する' : 'パブリッシャーを登録する'}
      readOnlyReason={canSave ? undefined : '閲覧のみの権限です。変更が必要な場合は管理者に依頼してください。'}
      aside={aside}
    >
      {control => (
        <>
          <Basics control={control} isNew={publisher === undefined} />
          {rights.shown.withRules && (
            <PublisherRules control={control} today={today} rights={rights} histories={ruleHistoriesOf(publisher)} />
          )}
          {rights.shown.withNotes && (
            <FormSection
              title="備考"
              badge={<Badge tone="mute">運営のみ</Badge>}
              note="パブリッシャーには表示されません。"
            >
              {IN_HOUSE_TEXT_NAMES.map(name => (
                <TextAreaField
                  key={name}
                  {...{ control, name }}
                  label={TEXTS[name].label}
                  maxLength={TEXTS[name].max}
                />
              ))}
            </FormSection>
          )}
        </>
      )}
    </EntityForm>
  )
}

function Basics({ control, isNew }: { control: Control<PublisherValues>; isNew: boolean }) {
  const searchOrganizations = useOrganizationSearch()
  const { getValues, setValue } = useFormContext<PublisherValues>()
  return (
    <FormSection title="基本情報" note="パブリッシャーの名前と、所属する組織です。">
      <SuggestField
        control={control}
        name="organizationId"
        label="組織"
        isRequired
        search={searchOrganizations}
        placeholder="組織名で検索"
        onChoose={() => {
          // The chosen agreements belong to the previous organisation.
          for (const index of getValues('agreementPublisherRules').keys())
            setValue(`agreementPublisherRules.${index}.agreementId`, null, { shouldDirty: true })
        }}
        {...(isNew ? {} : { readOnlyReason: '登録後は変更できません。' })}
      />
      <TextField control={control} name="name" label={LABELS.name} isRequired maxLength={MAX_PUBLISHER_NAME} />
      {OPEN_TEXT_NAMES.map(name => {
        const { label, max, ...text } = TEXTS[name]
        const hint = 'hint' in text ? { hint: text.hint } : {}
        return <TextField key={name} {...{ control, name, label, maxLength: max }} {...hint} />
      })}
      <SwitchField
        control={control}
        name="enabled"
        label={LABELS.enabled}
        on="有効（記事を配信する）"
        off="無効（記事を配信しない）"
      />
    </FormSection>
  )
}
