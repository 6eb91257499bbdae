import { beforeEach, expect, test } from 'vitest'
import { noteRecent, recentCommands } from './recent-commands.ts'

const command = (label: string) => ({ group: '契約', label, address: `#/managements/agreements/edit/${label}` })
const labels = (user: string) => recentCommands(user).map(({ label }) => label)

beforeEach(() => sessionStorage.clear())

test('the last five, the latest first and each once, of this person alone', () => {
  for (const label of ['1', '2', '3', '4', '5', '6', '2']) noteRecent('a', command(label))
  expect(labels('a')).toEqual(['2', '6', '5', '4', '3'])
  expect(labels('b')).toEqual([])
  expect(recentCommands('a')[0]).toMatchObject({ group: '最近開いたもの', address: '#/managements/agreements/edit/2' })
})

test.each(['no JSON', '{}', '[{"label":"x"}]', '[{"label":"x","address":"javascript:alert(1)"}]', '[null]'])(
  'what is kept and cannot be a place is left out: %s',
  kept => {
    sessionStorage.setItem('recentCommands a', kept)
    expect(recentCommands('a')).toEqual([])
  },
)
