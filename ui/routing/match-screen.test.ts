import { defineCondition } from '@pc/domain/condition/condition.ts'
import { page } from '@pc/domain/condition/params.ts'
import { expect, test } from 'vitest'
import { addressOf, defineRoute } from './define-route.ts'
import { matchScreen } from './match-screen.ts'

const screen = (path: `/${string}`, hasCondition = true) =>
  defineRoute({
    path,
    title: path,
    allow: { action: 'read:list', resource: 'insight:article_stats.' },
    ...(hasCondition ? { condition: defineCondition({ page: page() }) } : {}),
    view: async () => () => null,
  })

const SCREENS = [
  screen('/reports/articles'),
  screen('/reports/articles/$articleId/$publisherId'),
  screen('/users/edit/$userID', false),
  screen('/managements/agreements'),
  screen('/managements/agreements/create', false),
]
const found = (path: string) => {
  const match = matchScreen(SCREENS, path)
  return match && { path: match.screen.path, ids: match.ids, segment: match.segment }
}

test('finds a screen with and without its condition', () => {
  expect(found('/reports/articles')).toEqual({ path: '/reports/articles', ids: {}, segment: undefined })
  expect(found('/reports/articles/')).toEqual({ path: '/reports/articles', ids: {}, segment: undefined })
  expect(found('/reports/articles/page=2')?.segment).toBe('page=2')
})

test('reads the ids of a detail screen', () => {
  expect(found('/reports/articles/5/7')?.ids).toEqual({ articleId: '5', publisherId: '7' })
  expect(found('/reports/articles/5/7/page=2')).toMatchObject({ ids: { articleId: '5' }, segment: 'page=2' })
})

test('takes numbers as ids, and the ids of an identity provider', () => {
  for (const path of [
    '/reports/articles/abc/7',
    '/reports/articles/5/7a',
    '/reports/articles/-1/7',
    `/reports/articles/${'9'.repeat(19)}/7`,
  ])
    expect(found(path)).toBeUndefined()
  expect(found('/users/edit/01a1fa12-1509')?.ids).toEqual({ userID: '01a1fa12-1509' })
})

test('prefers a path over a condition', () => {
  expect(found('/managements/agreements/create')?.path).toBe('/managements/agreements/create')
  expect(found('/managements/agreements/created')?.path).toBe('/managements/agreements')
})

test('gives the defaults for a segment that cannot be decoded, and nothing for an unknown path', () => {
  expect(found('/reports/articles/%E0%A4%A')).toEqual({ path: '/reports/articles', ids: {}, segment: undefined })
  expect(found('/reports/unknown')).toBeUndefined()
  expect(found('/managements/agreements/create/page=2')).toBeUndefined()
})

test('writes readable addresses that lead back', () => {
  const address = addressOf('/reports/articles', 'page=2&name=東京 ~26&ids=1,2')
  expect(address).toBe('#/reports/articles/page=2&name=%E6%9D%B1%E4%BA%AC%20~26&ids=1,2')
  expect(found(address.slice(1))?.segment).toBe('page=2&name=東京 ~26&ids=1,2')
})
