import { Suspense, useState } from 'react'
import type { FieldPath, FieldValues } from 'react-hook-form'
import { SegmentedControl } from '../filter/segmented-control.tsx'
import { FieldFrame, type FieldProps, useField } from '../form/field.tsx'
import { lazy } from '../routing/lazy.ts'
import styles from './rich-text.module.css'

const RichTextEditor = lazy(() => import('./rich-text-editor.tsx').then(module => ({ default: module.RichTextEditor })))
const HtmlBody = lazy(() => import('../elements/html-body.tsx').then(module => ({ default: module.HtmlBody })))

/** Formatted text with a preview of exactly what readers see. The form's value is HTML; '' when it is empty. */
export function RichTextField<V extends FieldValues, N extends FieldPath<V>>(props: FieldProps<V, N>) {
  const field = useField(props, wordsOf)
  const html = typeof field.value === 'string' ? field.value : ''
  const [mode, setMode] = useState<'edit' | 'preview'>('edit')
  const wait = <div className={styles.wait} role="status" aria-label="読み込み中" />
  return (
    <FieldFrame field={field} props={{ width: 'full', ...props }} isGroup>
      <div className={styles.frame} data-invalid={field.error ? true : undefined}>
        <div className={styles.modes}>
          <SegmentedControl
            label={`${props.label}の表示`}
            options={[
              { value: 'edit', label: '編集' },
              { value: 'preview', label: 'プレビュー' },
            ]}
            value={mode}
            onChange={setMode}
          />
        </div>
        <Suspense fallback={wait}>
          {mode === 'preview' || field.isReadOnly ? (
            <HtmlBody html={html} className={styles.text ?? ''} />
          ) : (
            <RichTextEditor
              label={props.label}
              html={html}
              onChange={field.set}
              onBlur={field.onBlur}
              focusRef={field.focusRef}
              describedBy={field.aria['aria-describedby']}
              isInvalid={field.error !== undefined}
            />
          )}
        </Suspense>
      </div>
    </FieldFrame>
  )
}

/** The text without formatting, for comparisons. */
function wordsOf(value: unknown): string {
  const text =
    typeof value === 'string'
      ? value
          .replace(/<[^>]*>/g, ' ')
          .replace(/\s+/g, ' ')
          .trim()
      : ''
  return text === '' ? '（未入力）' : text
}
