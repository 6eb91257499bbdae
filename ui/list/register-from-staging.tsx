import type { TypedDocumentNode } from '@apollo/client'
import { type ReactNode, useState } from 'react'
import { useOwnQuery } from '../data/use-own-query.ts'
import { ScreenTop } from '../elements/list-top.tsx'
import { formatInstantDay } from '../text/format.ts'
import { StagingPicker } from './staging-picker.tsx'

interface Staging {
  readonly id: string
  readonly name: string
  readonly source: string
  readonly importedAt: string
}

/** Lets the user choose a record of staging, complete it in its form, and register it once. */
export function RegisterFromStaging<D, Row extends Staging>(props: {
  title: string
  noun: string
  document: TypedDocumentNode<D, { q?: string | null }>
  list: (data: D) => { readonly total: number; readonly nodes: readonly Row[] } | null | undefined
  backAddress: string
  form: (chosen: Row) => ReactNode
}) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<Row>()
  const result = useOwnQuery(props.document, { variables: text === '' ? {} : { q: text } })
  const data = (result.data ?? result.previousData) as D | undefined
  const list = data === undefined ? undefined : props.list(data)
  return (
    <>
      <ScreenTop title={props.title} note={chosen?.name} />
      {chosen === undefined ? (
        <StagingPicker
          noun={props.noun}
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
          backAddress={props.backAddress}
        />
      ) : (
        props.form(chosen)
      )}
    </>
  )
}
