import { useQuery } from '@apollo/client/react'
import { useClientOf } from '@pc/ui/data/clients.tsx'
import { SearchedChoice } from '@pc/ui/filter/searched-choice.tsx'
import { useOrganizationSearch } from './use-organization-search.ts'
import { UserOrganizationDocument } from './users-iam.gen.ts'

interface OrganizationFilterProps {
  value: string | undefined
  onChange: (id: string | undefined) => void
}

export function OrganizationFilter({ value, onChange }: OrganizationFilterProps) {
  const search = useOrganizationSearch()
  const { data } = useQuery(UserOrganizationDocument, {
    client: useClientOf('iam'),
    variables: { id: value ?? '' },
    skip: value === undefined,
  })
  return (
    <SearchedChoice
      label="組織"
      chosen={value === undefined ? undefined : { id: value, name: data?.organization?.name ?? `ID ${value}` }}
      noneLabel="すべて"
      clearLabel="すべての組織"
      placeholder="組織名で検索"
      search={search}
      onChoose={choice => onChange(choice?.id)}
    />
  )
}
