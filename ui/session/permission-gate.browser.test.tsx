import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { makeViewer } from './make-viewer.ts'
import { PermissionGate } from './permission-gate.tsx'
import { ViewerProvider } from './viewer.tsx'

async function show(actions: readonly string[], name: string) {
  const user = { id: 'u1', email: 'a@example.jp', photoUrl: undefined, hasEmailPassAccount: true }
  const loaded = { ...user, roles: [], organizationId: undefined, agreementIds: [], isStateReady: true }
  await render(
    <ViewerProvider viewer={makeViewer(user, { ...loaded, policies: [{ actions, resources: [{ name }] }] })}>
      <PermissionGate action="write:update" resource="insight:agreement.">
        許可
      </PermissionGate>
      <PermissionGate action="write:update" resource="insight:agreement." expected={false}>
        不許可
      </PermissionGate>
    </ViewerProvider>,
  )
  return page.elementLocator(document.body)
}

test.each([
  [['write:update'], 'insight:agreement.', '許可'],
  [['*'], 'insight:agreement.', '許可'],
  [['read:list'], 'insight:agreement.', '不許可'],
  [['write:update'], 'insight:publisher.', '不許可'],
  [[], 'insight:agreement.', '不許可'],
])('%j on %s shows %s', async (actions, name, expected) => {
  await expect.element(await show(actions, name)).toHaveTextContent(expected)
})
