import { IconAlertTriangle } from '@tabler/icons-react'
import type { Ref } from 'react'
import { type Control, type FieldValues, useFormState } from 'react-hook-form'
import { fieldId } from './field.tsx'
import { useFormFrame, valueAt } from './form-frame.ts'
import styles from './problem-summary.module.css'
import type { FieldProblem } from './refused-fields.ts'

interface SummaryProps<V extends FieldValues> {
  ref: Ref<HTMLDivElement>
  problems: readonly FieldProblem[]
  control: Control<V>
  onFollow: (name: string) => void
}

/** Lists what must be corrected, with a link to each field. It gets the focus after an attempt to save. */
export function ProblemSummary<V extends FieldValues>({ ref, problems, control, onFollow }: SummaryProps<V>) {
  // The form frame is mutable, which the compiler cannot see.
  'use no memo'
  const frame = useFormFrame()
  const { errors } = useFormState({ control })
  // Corrected fields leave the list.
  const left = problems.filter(({ name }) => name === '' || valueAt(errors, name) !== undefined)
  if (left.length === 0) return null
  return (
    <div ref={ref} className={styles.summary} role="alert" tabIndex={-1}>
      <IconAlertTriangle size={20} stroke={1.8} aria-hidden />
      <div>
        <h2>
          {left.some(({ name }) => name !== '')
            ? `入力内容を確認してください（${left.length}件）`
            : '保存できませんでした'}
        </h2>
        <ul>
          {left.map(({ name, message }) => (
            <li key={`${name} ${message}`}>
              {name === '' ? (
                message
              ) : (
                <a
                  href={`#${fieldId(name)}`}
                  onClick={event => {
                    event.preventDefault()
                    onFollow(name)
                  }}
                >
                  {frame.fields.get(name)?.label ?? ''}：{message}
                </a>
              )}
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
