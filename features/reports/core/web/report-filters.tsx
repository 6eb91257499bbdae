import { useQuery } from '@apollo/client/react'
import { MultiSelect } from '@pc/ui/filter/multi-select.tsx'
import type { Option } from '@pc/ui/filter/option.ts'
import { useState } from 'react'
import {
  ReportFeedsDocument,
  ReportMediaDocument,
  ReportOrganizationsDocument,
  ReportPublishersDocument,
} from './report-options.gen.ts'
import { type FilterProps, type NamedNode, SearchedFilter } from './searched-filter.tsx'

/** Queries its options when it is opened, or at once when something is chosen, to show its name. */
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

function optionsOf(nodes: readonly NamedNode[] | undefined): Option[] {
  return (nodes ?? []).map(node => ({ value: node.id, label: node.name ?? `ID ${node.id}` }))
}
