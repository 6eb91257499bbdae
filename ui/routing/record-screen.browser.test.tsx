import '../theme/styles.ts'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { expectAccessible } from '../expect-accessible.ts'
import { RecordScreen } from './record-screen.tsx'
import { recordTitle } from './record-title.ts'

test('a record that is not there leads to the list of those that are', async () => {
  await render(
    <main>
      <RecordScreen<{ name: string }>
        title="契約の編集"
        listAddress="#/managements/agreements"
        record={undefined}
        name={record => record.name}
        isLoading={false}
        error={undefined}
        retry={() => {}}
      >
        {record => record.name}
      </RecordScreen>
    </main>,
  )
  await expect.element(page.getByRole('heading', { name: '見つかりません' })).toBeVisible()
  await expect.element(page.getByRole('link', { name: '一覧へ' })).toHaveAttribute('href', '#/managements/agreements')
  await expectAccessible()
})

test('the screen of a record promises no editing to people who may only read', () => {
  const titleFor = recordTitle('契約', { action: 'write:update', resource: 'insight:agreement.' })
  expect(titleFor({ can: action => action === 'write:update' })).toBe('契約の編集')
  expect(titleFor({ can: action => action === 'read:show' })).toBe('契約の詳細')
})
