import { useClientOf } from '@pc/ui/data/clients.tsx'
import { UserOrganizationsDocument } from './users-iam.gen.ts'

/** Searches organisations by part of their name. */
export function useOrganizationSearch(): (text: string) => Promise<readonly { id: string; name: string }[]> {
  const client = useClientOf('iam')
  return async text => {
    const { data } = await client.query({
      query: UserOrganizationsDocument,
      variables: { q: text === '' ? null : text },
      fetchPolicy: 'network-only',
    })
    if (!data) throw new Error('no answer')
    return data.organizations.nodes
  }
}
