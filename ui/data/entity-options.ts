import { useApolloClient, useQuery } from '@apollo/client/react'
import { useCallback } from 'react'
import type { Option } from '../filter/option.ts'
import type { Choice } from '../form/suggest-field.tsx'
import { NO_VALUE } from '../text/format.ts'
import {
  AgreementOptionsDocument,
  MediumOptionsDocument,
  OrganizationOptionsDocument,
  PublisherOptionsDocument,
} from './entity-options.gen.ts'

type Search = (text: string) => Promise<readonly Choice[]>

/** The media as options and by id; there are only a few. */
export function useMedia(): { readonly options: readonly Option[]; nameOf(id: string): string } {
  const { data } = useQuery(MediumOptionsDocument)
  const options = (data?.availableMedia?.nodes ?? []).map(medium => ({ value: medium.id, label: medium.name }))
  // A medium in which the person has no part has no visible name.
  const unnamed = data === undefined ? '' : NO_VALUE
  return { options, nameOf: id => options.find(option => option.value === id)?.label ?? unnamed }
}

/** Searches what the person may see, on the server. */
export function useOrganizationSearch(): Search {
  const client = useApolloClient()
  return useCallback(
    async text => {
      const { data } = await client.query({ query: OrganizationOptionsDocument, variables: requested(text) })
      return answered(data?.organizations).map(({ id, name }) => ({ id, name }))
    },
    [client],
  )
}

export function usePublisherSearch(): Search {
  const client = useApolloClient()
  return async text => {
    const { data } = await client.query({ query: PublisherOptionsDocument, variables: requested(text) })
    return answered(data?.publishers).map(({ id, name, organization }) => ({
      id,
      name,
      ...(organization ? { note: organization.name } : {}),
    }))
  }
}

/** @param within only agreements of this organisation and medium */
export function useAgreementSearch(within: {
  readonly organizationId?: string | undefined
  readonly mediumId?: string | undefined
}): Search {
  const client = useApolloClient()
  return async text => {
    const { data } = await client.query({
      query: AgreementOptionsDocument,
      variables: { ...requested(text), param: within },
    })
    return answered(data?.agreements).map(({ id, name, code }) => ({ id, name, note: code }))
  }
}

function requested(text: string): { q?: string } {
  return text === '' ? {} : { q: text }
}

function answered<T>(list: { readonly nodes: readonly T[] } | null | undefined): readonly T[] {
  if (!list) throw new Error('the options did not arrive')
  return list.nodes
}
