import '../theme/styles.ts'
import { AUDIT_ACTION_LABELS_JA } from '@pc/domain/access/audit-action-labels.ja.ts'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '../expect-accessible.ts'
import { defineRoute } from '../routing/define-route.ts'
import { showScreen } from '../routing/screen-fixture.tsx'
import { RecordHistory } from './record-history.tsx'

const ROUTE = defineRoute({
  path: '/managements/publishers',
  title: 'パブリッシャー',
  allow: { action: 'read:list', resource: 'insight:publisher.' },
  view: async () => () => <RecordHistory kind="publisher" id="1" words={{ name: { label: '名前' } }} />,
})

/** The record's changes, newest first, by their actions; the server gives the asked-for part of them. */
function show(actions: readonly string[]) {
  const nodes = actions.map((action, index) => ({
    ...{ __typename: 'RecordChange', id: String(actions.length - index), at: '2026-11-02T00:00:00Z', action },
    ...{ actorEmail: 'keiri@example.jp', fields: [] },
  }))
  const answer = (offset: number, limit: number) => ({
    recordHistory: {
      ...{ __typename: 'RecordChangeList', total: nodes.length },
      nodes: nodes.slice(offset, offset + limit),
    },
  })
  return showScreen({
    screens: [ROUTE],
    path: '/managements/publishers',
    role: 'insight:admin',
    answers: { RecordHistory: variables => answer(Number(variables.offset ?? 0), Number(variables.limit)) },
  })
}

const entries = () => page.getByRole('listitem')
const older = page.getByRole('button', { name: '以前の変更も表示' })

test('every action that can be recorded is called as in the audit log', async () => {
  const actions = Object.keys(AUDIT_ACTION_LABELS_JA)
  await show(actions)
  await older.click()
  await expect.poll(() => entries().elements().length).toBe(actions.length)
  const shown = entries()
    .elements()
    .map(entry => entry.querySelector('b')?.textContent)
  expect(shown).toEqual(Object.values(AUDIT_ACTION_LABELS_JA))
})

test('all of 230 changes can be reached', async () => {
  const { operations } = await show(Array.from({ length: 230 }, () => 'update'))
  for (const count of [5, 105, 205]) {
    await expect.poll(() => entries().elements().length).toBe(count)
    await older.click()
  }
  await expect.poll(() => entries().elements().length).toBe(230)
  await expect.element(older).not.toBeInTheDocument()
  expect(operations.map(({ variables }) => variables.offset)).toEqual([0, 5, 105, 205])
  await expectAccessible()
})
