import { useApolloClient } from '@apollo/client/react'
import { ROLE_LABELS_JA } from '@pc/domain/access/role-labels.ja.ts'
import { ANNOUNCEMENT_BOUNDS } from '@pc/domain/announcement/announcement.ts'
import { useMedia, useOrganizationSearch } from '@pc/ui/data/entity-options.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { CheckboxesField, RadioField, SwitchField } from '@pc/ui/form/choice-field.tsx'
import { DateTimeField } from '@pc/ui/form/date-time-field.tsx'
import { EntityForm } from '@pc/ui/form/entity-form.tsx'
import { FieldRow, FormSection } from '@pc/ui/form/form-section.tsx'
import { SuggestField } from '@pc/ui/form/suggest-field.tsx'
import { TextField } from '@pc/ui/form/text-field.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { RichTextField } from '@pc/ui/rich-text/rich-text-field.tsx'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { type Control, useFieldArray, useWatch } from 'react-hook-form'
import { ANNOUNCEMENTS_PATH } from '../links.ts'
import styles from './announcement.module.css'
import {
  type AnnouncementValues,
  AUDIENCE_ROLES,
  announcementInput,
  announcementProblems,
  announcementValuesOf,
} from './announcement-values.ts'
import {
  AnnouncementDetailDocument,
  type AnnouncementDetailQuery,
  UpsertAnnouncementDocument,
} from './announcements.gen.ts'

interface AnnouncementFormProps {
  title: string
  initial: AnnouncementValues
  announcement?: NonNullable<AnnouncementDetailQuery['announcement']>
  aside?: ReactNode
}

/** The form of an announcement: content, level, period and targets. */
export function AnnouncementForm({ title, initial, announcement, aside }: AnnouncementFormProps) {
  const submit = useSubmission(UpsertAnnouncementDocument)
  const client = useApolloClient()
  return (
    <EntityForm<AnnouncementValues, unknown>
      title={title}
      initial={initial}
      revision={announcement?.revision}
      check={announcementProblems}
      send={(values, expectedRevision) =>
        submit({
          input: {
            ...announcementInput(values),
            ...(announcement ? { id: announcement.id } : {}),
            ...(expectedRevision === undefined ? {} : { expectedRevision }),
          },
        })
      }
      saved={(_answer, values) => ({
        message: `お知らせ「${values.title}」を保存しました。`,
        address: addressOf(ANNOUNCEMENTS_PATH),
      })}
      {...(announcement
        ? {
            async loadLatest() {
              const answer = await client.query({
                query: AnnouncementDetailDocument,
                variables: { id: announcement.id, isStaff: true },
                fetchPolicy: 'network-only',
              })
              const latest = answer.data?.announcement
              if (!latest) throw new Error('the announcement is gone')
              return { values: announcementValuesOf(latest), revision: latest.revision }
            },
          }
        : {})}
      cancelAddress={addressOf(ANNOUNCEMENTS_PATH)}
      submitLabel={announcement ? '変更を保存する' : 'お知らせを登録する'}
      aside={aside}
    >
      {control => (
        <>
          <FormSection title="内容" note="プレビューで、読む方に表示される見え方を確認できます。">
            <TextField
              control={control}
              name="title"
              label="タイトル"
              isRequired
              width="full"
              maxLength={ANNOUNCEMENT_BOUNDS.title}
            />
            <RichTextField control={control} name="body" label="本文" isRequired />
          </FormSection>
          <Display control={control} />
          <FormSection title="掲載期間" note="日本時間で入力します。">
            <FieldRow>
              <DateTimeField control={control} name="startAt" label="掲載開始" isRequired />
              <DateTimeField control={control} name="endAt" label="掲載終了" hint="空欄の場合は終了しません。" />
            </FieldRow>
            <SwitchField control={control} name="enabled" label="公開" on="公開する" off="公開しない（下書き）" />
          </FormSection>
          <Audience control={control} />
        </>
      )}
    </EntityForm>
  )
}

function Display({ control }: { control: Control<AnnouncementValues> }) {
  const level = useWatch({ control, name: 'level' })
  return (
    <FormSection title="表示方法">
      <RadioField
        control={control}
        name="level"
        label="重要度"
        options={[
          { value: 'info', label: '通常', hint: 'ベルの一覧に表示します' },
          { value: 'warn', label: '重要', hint: '確認するまで画面を覆って表示します' },
        ]}
      />
      {level === 'warn' && (
        <TextField
          control={control}
          name="closeButtonText"
          label="確認ボタンの文字"
          width="short"
          maxLength={ANNOUNCEMENT_BOUNDS.closeButtonText}
        />
      )}
    </FormSection>
  )
}

function Audience({ control }: { control: Control<AnnouncementValues> }) {
  const media = useMedia()
  const search = useOrganizationSearch()
  const audience = useWatch({ control, name: 'audience' })
  const { fields, append, remove } = useFieldArray({ control, name: 'organizations' })
  return (
    <FormSection title="宛先" note="いずれかに当てはまる方に表示します。">
      <RadioField
        control={control}
        name="audience"
        label="宛先の指定"
        options={[
          { value: 'all', label: 'すべてのユーザー' },
          { value: 'some', label: '宛先を選ぶ' },
        ]}
      />
      {audience === 'some' && (
        <>
          <CheckboxesField control={control} name="mediumIds" label="媒体" options={media.options} />
          <CheckboxesField
            control={control}
            name="roles"
            label="ロール"
            options={AUDIENCE_ROLES.map(role => ({ value: role, label: ROLE_LABELS_JA[role].label }))}
          />
          {fields.map((field, index) => (
            <FieldRow key={field.id}>
              <SuggestField
                control={control}
                name={`organizations.${index}.organization`}
                label={`組織（${index + 1}）`}
                search={search}
                placeholder="組織名で検索"
              />
              <span className={styles.removeTarget}>
                <Button
                  tone="quiet"
                  aria-label={`組織（${index + 1}）を外す`}
                  icon={<IconTrash size={16} aria-hidden />}
                  onClick={() => remove(index)}
                >
                  外す
                </Button>
              </span>
            </FieldRow>
          ))}
          <div>
            <Button icon={<IconPlus size={16} aria-hidden />} onClick={() => append({ organization: null })}>
              組織を追加
            </Button>
          </div>
        </>
      )}
    </FormSection>
  )
}
