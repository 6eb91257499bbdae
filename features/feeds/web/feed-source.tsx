import { useLazyQuery } from '@apollo/client/react'
import { Button } from '@pc/ui/elements/button.tsx'
import { Badge } from '@pc/ui/elements/card.tsx'
import { FormSection } from '@pc/ui/form/form-section.tsx'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { TextField } from '@pc/ui/form/text-field.tsx'
import { formatInstant } from '@pc/ui/text/format.ts'
import { IconChecklist, IconEye } from '@tabler/icons-react'
import { type Control, type UseFormSetValue, useFormContext, useWatch } from 'react-hook-form'
import styles from './feed.module.css'
import type { FeedValues } from './feed-values.ts'
import {
  FeedPreviewDocument,
  type FeedPreviewQuery,
  FeedValidationDocument,
  RegisteredFeedValidationDocument,
  type ValidatedFeedFragment,
} from './feeds.gen.ts'

interface FeedSourceProps {
  control: Control<FeedValues>
  canChange: boolean
  /** Undefined: a new feed. */
  feedId: string | undefined
}

/**
 * The feed's URL, with a preview that can fill in the form and a check by line. People who may not enter feeds can only
 * check the registered URL.
 */
export function FeedSource({ control, canChange, feedId }: FeedSourceProps) {
  const url = useWatch({ control, name: 'url' })
  const type = useWatch({ control, name: 'type' })
  const [preview, previewed] = useLazyQuery(FeedPreviewDocument, { fetchPolicy: 'no-cache' })
  const [validate, validated] = useLazyQuery(FeedValidationDocument, { fetchPolicy: 'no-cache' })
  const [validateOwn, validatedOwn] = useLazyQuery(RegisteredFeedValidationDocument, { fetchPolicy: 'no-cache' })
  // An answer about a previously typed URL is not shown.
  const isOfThisUrl = (answer: { variables?: { url?: string } | undefined }) => answer.variables?.url === url
  const isChecking = validated.loading || validatedOwn.loading
  const validation = canChange
    ? isOfThisUrl(validated)
      ? validated.data?.validateFeed
      : undefined
    : validatedOwn.data?.feedValidation
  const check = () =>
    canChange ? validate({ variables: { url, type } }) : feedId && validateOwn({ variables: { id: feedId } })
  const isUsable = /^https?:\/\/\S+$/i.test(url)
  const reason = isUsable ? undefined : 'http:// または https:// で始まるフィードのURLを入力してください'
  return (
    <FormSection
      title="フィード"
      note={
        canChange
          ? 'URLを入力して読み込むと、名前や画像を自動で入力できます。'
          : '登録されているフィードを今すぐ読み込み、仕様に合わない箇所を行ごとに確認できます。'
      }
    >
      <TextField
        control={control}
        name="url"
        label="フィードのURL"
        isRequired
        type="url"
        width="full"
        placeholder="https://example.jp/feed.xml"
      />
      <div className={styles.tools}>
        {canChange && (
          <Button
            disabled={!isUsable || previewed.loading}
            title={reason}
            icon={<IconEye size={16} aria-hidden />}
            onClick={() => void preview({ variables: { url } })}
          >
            {previewed.loading ? '読み込んでいます…' : '読み込んで確認'}
          </Button>
        )}
        <Button
          disabled={!isUsable || isChecking}
          title={reason}
          icon={<IconChecklist size={16} aria-hidden />}
          onClick={() => void check()}
        >
          {isChecking ? '検査しています…' : '仕様に合うか検査'}
        </Button>
      </div>
      <Problem
        error={
          (isOfThisUrl(previewed) ? previewed.error : undefined) ??
          (isOfThisUrl(validated) ? validated.error : undefined) ??
          validatedOwn.error
        }
      />
      {isOfThisUrl(previewed) && previewed.data?.rss && <Preview rss={previewed.data.rss} canChange={canChange} />}
      {validation && <Findings validation={validation} />}
    </FormSection>
  )
}

function Problem({ error }: { error: unknown }) {
  if (!error) return null
  const [refusal] = refusalsOf(error)
  return (
    <p className={styles.problem} role="alert">
      {refusal?.message ?? 'フィードを読み込めませんでした。もう一度お試しください。'}
    </p>
  )
}

function Preview({ rss, canChange }: { rss: NonNullable<FeedPreviewQuery['rss']>; canChange: boolean }) {
  const { setValue } = useFormContext() as { setValue: UseFormSetValue<FeedValues> }
  const take = () => {
    const change = { shouldDirty: true } as const
    for (const name of ['name', 'description', 'siteUrl', 'logoUrl', 'wideLogoUrl'] as const)
      if (rss[name] !== '') setValue(name, rss[name], change)
  }
  return (
    <section className={styles.preview} aria-label="フィードの内容">
      <header>
        <div>
          <h3>{rss.name === '' ? '（名前なし）' : rss.name}</h3>
          <p>{rss.description}</p>
          <p className={styles.note}>{`${rss.format.toUpperCase()}・${rss.encoding}・記事${rss.itemCount}件`}</p>
        </div>
        {canChange && <Button onClick={take}>フォームに反映</Button>}
      </header>
      <ol>
        {rss.items.map(item => (
          <li key={`${item.url} ${item.title}`}>
            <span>{item.title}</span>
            {item.publishedAt && <time dateTime={item.publishedAt}>{formatInstant(item.publishedAt)}</time>}
          </li>
        ))}
      </ol>
    </section>
  )
}

function Findings({ validation }: { validation: ValidatedFeedFragment }) {
  const { findings, isUsable } = validation
  return (
    <section className={styles.preview} aria-label="検査の結果">
      <header>
        <Badge tone={isUsable ? (findings.length === 0 ? 'ok' : 'warn') : 'bad'}>
          {isUsable ? (findings.length === 0 ? '問題なし' : '使用できます') : '使用できません'}
        </Badge>
        <p>{findings.length === 0 ? '仕様に合っています。' : `${findings.length}件の指摘があります。`}</p>
      </header>
      <ol>
        {findings.map(finding => (
          <li key={`${finding.line} ${finding.code} ${finding.message}`}>
            <Badge tone={finding.severity === 'error' ? 'bad' : 'warn'}>{`${finding.line}行目`}</Badge>
            <span>{finding.message}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
