import { afterEach, expect, test } from 'vitest'
import { PERSON_LEAVES } from '../session/session-ended.ts'
import { cachedPermissions, cachePermissions, clearPermissionCache } from './permission-cache.ts'

const POLICIES = [{ actions: ['read:list'], resources: [{ name: 'insight:feed.' }] }]

afterEach(clearPermissionCache)

test('the next start knows what the person was allowed, and nobody else', () => {
  cachePermissions('u1', POLICIES)
  expect(cachedPermissions('u1')).toEqual(POLICIES)
  expect(cachedPermissions('u2')).toBeUndefined()
  expect(cachedPermissions('u1')).toBeUndefined()
})

test('who signs out, or goes over to see another person, leaves nothing behind in the browser', () => {
  cachePermissions('u1', POLICIES)
  dispatchEvent(new Event(PERSON_LEAVES))
  expect(Object.values(localStorage).join()).not.toContain('insight:feed.')
  expect(cachedPermissions('u1')).toBeUndefined()
})
