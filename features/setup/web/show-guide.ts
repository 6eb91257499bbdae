import type { ApolloClient } from '@apollo/client'
import { DASHBOARD_PATH } from '@pc/features/reports/links.ts'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { SavePreferenceDocument } from '@pc/ui/views/save-screen-settings.gen.ts'
import { GUIDE_KEY, PUT_AWAY, rememberGuide } from './guide-memory.ts'

/** Shows the guide on the home screen again. The error message shows a failure. */
export async function showGuide(client: ApolloClient, user: string): Promise<void> {
  if (!(await saveGuideState(client, null))) return
  rememberGuide(user, 'shown')
  location.hash = addressOf(DASHBOARD_PATH)
}

/**
 * Dismisses the guide.
 * @returns whether that succeeded
 */
export async function putGuideAway(client: ApolloClient, user: string): Promise<boolean> {
  const isAway = await saveGuideState(client, PUT_AWAY)
  if (isAway) rememberGuide(user, 'gone')
  return isAway
}

async function saveGuideState(client: ApolloClient, value: string | null): Promise<boolean> {
  const { error } = await client.mutate({
    mutation: SavePreferenceDocument,
    variables: { key: GUIDE_KEY, value },
    errorPolicy: 'all',
  })
  return error === undefined
}
