import { expect, test } from 'vitest'
import { MENU } from './menu.ts'
import { HOME, SCREENS } from './routes.ts'

test('the route table: path, title, right', () => {
  const lines = SCREENS.map(
    ({ path, condition, title, allow }) =>
      `${path}${condition ? '/:condition?' : ''} | ${title} | ${allow.action} ${allow.resource}`,
  )
  expect(lines).toMatchInlineSnapshot(`
    [
      "/reports/dashboard/:condition? | ダッシュボード | read:list insight:summary_stats.",
    ]
  `)
})

test('the home screen and every screen with a menu item ask for the right that their item asks for', () => {
  const rights = new Map(MENU.flatMap(group => group.items).map(item => [item.path, item.resource]))
  expect(SCREENS.some(screen => screen.path === HOME)).toBe(true)
  for (const screen of SCREENS) expect(rights.get(screen.path) ?? screen.allow.resource).toBe(screen.allow.resource)
})
