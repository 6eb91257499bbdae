import { skipToken, useQuery } from '@apollo/client/react'
import { type ClientPolicy, clientAllows } from '@pc/domain/access/client-policy.ts'
import { useMemo } from 'react'
import type { Clients } from '../data/client.ts'
import { viewerOf } from './make-viewer.ts'
import type { SignedInUser } from './session.ts'
import type { Viewer } from './viewer.tsx'
import { ViewerAgreementsDocument } from './viewer-agreements.gen.ts'
import { ViewerPoliciesDocument, ViewerUserDocument } from './viewer-iam.gen.ts'

type LoadedViewer =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly retry: () => void }
  | { readonly state: 'ready'; readonly viewer: Viewer }

/** Whether an application needs the list of agreements at its start, besides user and policies. */
export type AskForAgreements = 'always' | 'when-allowed'

/**
 * The startup queries. Skipped without a user id; ready when all of them have returned.
 * @param askForAgreements `when-allowed`: after the policies, and only if they allow it
 */
export function useLoadedViewer(
  user: SignedInUser,
  clients: Clients,
  askForAgreements: AskForAgreements = 'always',
): LoadedViewer {
  const isKnown = user.id !== ''
  const iamUser = useQuery(
    ViewerUserDocument,
    isKnown ? { variables: { userID: user.id }, client: clients.iam } : skipToken,
  )
  const policies = useQuery(ViewerPoliciesDocument, isKnown ? { client: clients.iam } : skipToken)
  // An earlier answer stays while the query is repeated; otherwise the application would disappear from the screen.
  const ofUser = iamUser.data ?? iamUser.previousData
  const ofPolicies = policies.data ?? policies.previousData
  const known = ofPolicies?.policies?.nodes as readonly ClientPolicy[] | undefined
  const mayAsk = askForAgreements === 'always' || (known && clientAllows(known, 'read:list', 'insight:agreement.'))
  const agreements = useQuery(
    ViewerAgreementsDocument,
    isKnown && mayAsk ? { variables: { userUid: user.id }, client: clients.insight } : skipToken,
  )
  const ofAgreements = agreements.data ?? agreements.previousData
  const loaded = useMemo(() => {
    if (!ofUser || !ofPolicies) return undefined
    if (mayAsk && !ofAgreements && !agreements.error) return undefined
    return viewerOf(user, ofUser, ofPolicies, ofAgreements)
  }, [user, mayAsk, ofUser, ofPolicies, ofAgreements, agreements.error])
  if (loaded) return { state: 'ready', viewer: loaded }
  const failed = [iamUser, policies].filter(query => query.error && !query.data && !query.loading)
  if (failed.length === 0) return { state: 'loading' }
  return { state: 'failed', retry: () => failed.forEach(query => void query.refetch()) }
}
