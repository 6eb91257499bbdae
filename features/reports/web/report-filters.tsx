import { useQuery } from '@apollo/client/react'
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { MultiSelect } from '@pc/ui/filter/multi-select.tsx'
import type { Option } from '@pc/ui/filter/option.ts'
import { useState } from 'react'
import {
  ReportFeedsDocument,
  ReportMediaDocument,
  ReportOrganizationsDocument,
  ReportPublishersDocument,
} from './report-options.gen.ts'

interface FilterProps {
  value: readonly string[]
  onChange: (ids: readonly string[]) => void
}

interface NamedNode {
  readonly id: string
  readonly name: string
}

/** Options are asked for when the filter is opened, or when a chosen one needs its name. */
export function MediumFilter({ value, onChange }: FilterProps) {
  const [isWanted, setWanted] = useState(false)
  const { data, loading } = useQuery(ReportMediaDocument, { skip: !isWanted && value.length === 0 })
  return (
    <MultiSelect
      label="媒体"
      options={optionsOf(data?.availableMedia?.nodes)}
      value={value}
      onChange={onChange}
      onOpen={() => setWanted(true)}
      isLoading={loading}
    />
  )
}

export function OrganizationFilter(props: FilterProps) {
  return (
    <SearchedFilter {...props} label="組織" document={ReportOrganizationsDocument} pick={data => data.organizations} />
  )
}

export function PublisherFilter(props: FilterProps) {
  return (
    <SearchedFilter
      {...props}
      label="パブリッシャー"
      document={ReportPublishersDocument}
      pick={data => data.publishers}
    />
  )
}

export function FeedFilter(props: FilterProps) {
  return <SearchedFilter {...props} label="フィード" document={ReportFeedsDocument} pick={data => data.feeds} />
}

interface SearchedFilterProps<D> extends FilterProps {
  label: string
  document: TypedDocumentNode<D, { q?: string | null }>
  pick: (data: D) => { readonly total: number; readonly nodes: readonly NamedNode[] } | null | undefined
}

/** Thousands of names: the server searches, and what was found or chosen before keeps its name. */
function SearchedFilter<D>({ label, document, pick, value, onChange }: SearchedFilterProps<D>) {
  const [isWanted, setWanted] = useState(false)
  const [text, setText] = useState('')
  const [known, setKnown] = useState<readonly Option[]>([])
  const isSkipped = !isWanted && value.length === 0
  const result = useQuery(document, { variables: text === '' ? {} : { q: text }, skip: isSkipped })
  const answer = (result.data ?? result.previousData) as D | undefined
  const list = answer === undefined ? undefined : pick(answer)
  const found = optionsOf(list?.nodes)
  const news = found.filter(option => !known.some(old => old.value === option.value))
  if (news.length > 0) setKnown([...known, ...news])
  const chosen = known.filter(option => value.includes(option.value))
  const options = text === '' ? withFirst(chosen, found) : found
  return (
    <MultiSelect
      label={label}
      options={withFirst(options, chosen)}
      value={value}
      onChange={onChange}
      onOpen={() => setWanted(true)}
      onSearch={setText}
      isLoading={result.loading}
      hasMore={list !== undefined && list !== null && list.total > list.nodes.length}
    />
  )
}

function withFirst(first: readonly Option[], rest: readonly Option[]): Option[] {
  return [...first, ...rest.filter(option => !first.some(other => other.value === option.value))]
}

function optionsOf(nodes: readonly NamedNode[] | undefined): Option[] {
  return (nodes ?? []).map(node => ({ value: node.id, label: node.name }))
}
