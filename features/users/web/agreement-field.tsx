import { useQuery } from '@apollo/client/react'
import { useClientOf } from '@pc/ui/data/clients.tsx'
import { FieldFrame, type FieldProps, useField } from '@pc/ui/form/field.tsx'
import { useId, useState } from 'react'
import type { FieldPath, FieldValues } from 'react-hook-form'
import { AssignableAgreementsDocument, type AssignableAgreementsQuery } from './publisher-user.gen.ts'
import styles from './users.module.css'

interface AgreementFieldProps<V extends FieldValues, N extends FieldPath<V>> extends FieldProps<V, N> {
  /** The organisation whose agreements can be chosen. */
  organizationId: string
}

type Agreement = AssignableAgreementsQuery['agreements']['nodes'][number]
/** From this number on, the list scrolls and has a search field. */
const SEARCHABLE_FROM = 10

/** The agreements that an editor is assigned to. The form's value is an array of ids. */
export function AgreementField<V extends FieldValues, N extends FieldPath<V>>(props: AgreementFieldProps<V, N>) {
  const { data, error, refetch } = useQuery(AssignableAgreementsDocument, {
    client: useClientOf('insight'),
    variables: { organizationId: props.organizationId },
  })
  const agreements = data?.agreements.nodes ?? []
  const field = useField(props, value => showAgreements(agreements, value))
  const chosen = Array.isArray(field.value) ? (field.value as readonly string[]) : []
  const [text, setText] = useState('')
  const searchId = useId()
  const found = agreements.filter(agreement => matches(agreement, text))
  return (
    <FieldFrame field={field} props={{ width: 'full', ...props }} isGroup>
      {agreements.length >= SEARCHABLE_FROM && (
        <>
          <label htmlFor={searchId} className="visually-hidden">
            契約を検索
          </label>
          <input
            id={searchId}
            className={styles.search}
            type="search"
            placeholder="契約名またはコードで検索"
            autoComplete="off"
            value={text}
            onChange={event => setText(event.target.value)}
          />
        </>
      )}
      {error && !data ? (
        <p className={styles.hint}>
          契約を読み込めませんでした。{' '}
          <button type="button" onClick={() => void refetch()}>
            もう一度読み込む
          </button>
        </p>
      ) : (
        <div className={styles.checks} data-scrolls={agreements.length >= SEARCHABLE_FROM || undefined}>
          {found.map((agreement, index) => (
            <label key={agreement.id} data-checked={chosen.includes(agreement.id) || undefined}>
              <input
                type="checkbox"
                ref={index === 0 ? field.focusRef : undefined}
                checked={chosen.includes(agreement.id)}
                disabled={field.isReadOnly}
                aria-describedby={field.aria['aria-describedby']}
                onChange={event =>
                  field.set(event.target.checked ? [...chosen, agreement.id] : chosen.filter(id => id !== agreement.id))
                }
                onBlur={field.onBlur}
              />
              <span>
                {agreement.name}
                <small>
                  {agreement.code}
                  {agreement.isTerminated ? '（終了した契約）' : ''}
                </small>
              </span>
            </label>
          ))}
        </div>
      )}
      {data && found.length === 0 && (
        <p className={styles.hint}>
          {agreements.length === 0 ? '組織に契約がありません。' : '該当する契約がありません。'}
        </p>
      )}
    </FieldFrame>
  )
}

function showAgreements(agreements: readonly Agreement[], value: unknown): string {
  const ids = Array.isArray(value) ? (value as readonly string[]) : []
  if (ids.length === 0) return '（なし）'
  return ids.map(id => agreements.find(agreement => agreement.id === id)?.name ?? `ID ${id}`).join('、')
}

/** Ignores width, case and kana, as people do when they type a name. */
function matches({ name, code }: Agreement, text: string): boolean {
  return fold(`${name} ${code}`).includes(fold(text.trim()))
}

function fold(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[ァ-ヶ]/g, char => String.fromCharCode(char.charCodeAt(0) - 0x60))
}
