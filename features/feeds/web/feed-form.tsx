import { useApolloClient } from '@apollo/client/react'
import {
  FEED_TEXT_BOUNDS as BOUNDS,
  feedBoundsText,
  FEED_FIELD_LABELS_JA as LABELS,
} from '@pc/domain/feed/feed-record.ts'
import { useMedia, usePublisherSearch } from '@pc/ui/data/entity-options.ts'
import { Badge } from '@pc/ui/elements/card.tsx'
import { SelectField, SwitchField } from '@pc/ui/form/choice-field.tsx'
import { EntityForm } from '@pc/ui/form/entity-form.tsx'
import { FieldRow, FormSection } from '@pc/ui/form/form-section.tsx'
import { type AskForUpload, ImageField } from '@pc/ui/form/image-field.tsx'
import { IntegerField } from '@pc/ui/form/number-field.tsx'
import { SuggestField } from '@pc/ui/form/suggest-field.tsx'
import { TextAreaField, TextField } from '@pc/ui/form/text-field.tsx'
import { addressOf, type ScreenContext } from '@pc/ui/routing/define-route.ts'
import type { ReactNode } from 'react'
import type { Control } from 'react-hook-form'
import { FEEDS_PATH } from '../links.ts'
import { FeedSource } from './feed-source.tsx'
import { checkFeed, type FeedValues, feedValuesOf } from './feed-values.ts'
import { FEED_TYPE_OPTIONS } from './feed-words.ts'
import { FeedEditDocument, type FeedFieldsFragment, FeedImageUploadUrlDocument } from './feeds.gen.ts'
import { feedRights } from './feeds-query.ts'

interface FeedFormProps extends Pick<ScreenContext, 'viewer'> {
  title: string
  initial: FeedValues
  /** Undefined: a new feed. */
  feed?: FeedFieldsFragment
  send: (values: FeedValues, expectedRevision: number | undefined) => Promise<unknown>
  aside?: ReactNode
}

const STAFF_ONLY = <Badge tone="mute">運営のみ</Badge>

/** The form of one feed. */
export function FeedForm({ viewer, title, initial, feed, send, aside }: FeedFormProps) {
  const client = useApolloClient()
  const rights = feedRights(viewer)
  const canSave = viewer.can(feed ? 'write:update' : 'write:create', 'insight:feed.')
  const askForUpload: AskForUpload = async mimeType => {
    const { data } = await client.query({
      query: FeedImageUploadUrlDocument,
      variables: { mimeType },
      fetchPolicy: 'no-cache',
    })
    if (!data?.imageUploadUrl) throw new Error('no place for the picture')
    return data.imageUploadUrl
  }
  return (
    <EntityForm<FeedValues, unknown>
      title={title}
      initial={initial}
      revision={feed?.revision}
      check={checkFeed}
      send={send}
      saved={(_answer, values) => ({
        message: `フィード「${values.name}」を${feed ? '保存' : '登録'}しました。`,
        address: addressOf(FEEDS_PATH),
      })}
      {...(feed
        ? {
            async loadLatest() {
              const answer = await client.query({
                query: FeedEditDocument,
                variables: { id: feed.id, ...rights.shown },
                fetchPolicy: 'network-only',
              })
              if (!answer.data?.feed) throw new Error('the feed is gone')
              return { values: feedValuesOf(answer.data.feed), revision: answer.data.feed.revision }
            },
          }
        : {})}
      cancelAddress={addressOf(FEEDS_PATH)}
      submitLabel={feed ? '変更を保存する' : 'フィードを登録する'}
      readOnlyReason={canSave ? undefined : '閲覧のみの権限です。変更が必要な場合は管理者に依頼してください。'}
      aside={aside}
    >
      {control => (
        <>
          <FeedSource control={control} canChange={canSave} feedId={feed?.id} />
          <Basics control={control} />
          <FormSection title="画像" note="PNG・JPEG・WebP、5MBまで。">
            <ImageField control={control} name="logoUrl" label={LABELS.logoUrl} askForUpload={askForUpload} />
            <ImageField control={control} name="wideLogoUrl" label={LABELS.wideLogoUrl} askForUpload={askForUpload} />
            <ImageField control={control} name="bannerUrl" label={LABELS.bannerUrl} askForUpload={askForUpload} />
          </FormSection>
          <Delivery control={control} />
          {rights.shown.withInHouse && <InHouse control={control} />}
          {rights.shown.withNotes && (
            <FormSection title="備考" badge={STAFF_ONLY} note="パブリッシャーには表示されません。">
              <TextAreaField control={control} name="notes" label={LABELS.notes} maxLength={BOUNDS.notes} />
            </FormSection>
          )}
        </>
      )}
    </EntityForm>
  )
}

type Part = { control: Control<FeedValues> }

function Basics({ control }: Part) {
  const media = useMedia()
  const search = usePublisherSearch()
  return (
    <FormSection title="基本情報" note="どのパブリッシャーの、どの媒体に配信するフィードかを設定します。">
      <SuggestField
        control={control}
        name="publisherId"
        label="パブリッシャー"
        isRequired
        search={search}
        placeholder="名前・よみがなで検索"
      />
      <SelectField control={control} name="mediumId" label="媒体" isRequired options={media.options} />
      <TextField control={control} name="name" label={LABELS.name} isRequired maxLength={BOUNDS.name} />
      <TextField
        control={control}
        name="shortName"
        label={LABELS.shortName}
        width="short"
        maxLength={BOUNDS.shortName}
      />
      <TextField control={control} name="siteUrl" label={LABELS.siteUrl} type="url" />
      <TextAreaField control={control} name="description" label={LABELS.description} maxLength={BOUNDS.description} />
      <SwitchField
        control={control}
        name="enabled"
        label={LABELS.enabled}
        on="有効（配信する）"
        off="無効（配信しない）"
      />
    </FormSection>
  )
}

function Delivery({ control }: Part) {
  return (
    <FormSection title="配信の設定">
      <SelectField control={control} name="type" label="フィードの種別" isRequired options={FEED_TYPE_OPTIONS} />
      <FieldRow>
        <IntegerField
          control={control}
          name="ttlMinutes"
          label="読み込みの間隔"
          unit="分"
          hint={feedBoundsText('ttlMinutes')}
        />
        <IntegerField
          control={control}
          name="articleExpirationDays"
          label="記事の掲載期間"
          unit="日"
          hint={feedBoundsText('articleExpirationDays')}
        />
        <IntegerField
          control={control}
          name="relatedLinkNum"
          label={LABELS.relatedLinkNum}
          unit="件"
          hint={feedBoundsText('relatedLinkNum')}
        />
      </FieldRow>
      <SwitchField
        control={control}
        name="allowContentBody"
        label={LABELS.allowContentBody}
        on="許可する"
        off="許可しない"
      />
      <SwitchField control={control} name="allowVideo" label={LABELS.allowVideo} on="許可する" off="許可しない" />
    </FormSection>
  )
}

function InHouse({ control }: Part) {
  return (
    <FormSection title="社内設定" badge={STAFF_ONLY}>
      <SwitchField
        control={control}
        name="isSafeForFirstview"
        label={LABELS.isSafeForFirstview}
        on="掲載する"
        off="掲載しない"
      />
      <SwitchField
        control={control}
        name="availabilityForPromo"
        label={LABELS.availabilityForPromo}
        on="利用する"
        off="利用しない"
      />
      <SwitchField control={control} name="isDeleteFeed" label={LABELS.isDeleteFeed} on="はい" off="いいえ" />
      <FieldRow>
        <IntegerField
          control={control}
          name="manuallyFeedScore"
          label={LABELS.manuallyFeedScore}
          isSigned
          hint={feedBoundsText('manuallyFeedScore')}
        />
        <TextField
          control={control}
          name="legacyFeedId"
          label={LABELS.legacyFeedId}
          width="short"
          maxLength={BOUNDS.legacyFeedId}
        />
      </FieldRow>
    </FormSection>
  )
}
