import { expect, test } from 'vitest'
import { verifyTogether } from './verify-together.ts'

/** Readings that end when the test says so; each answers its number as its rows. */
function readings() {
  const ends: ((error?: Error) => void)[] = []
  const verify = () =>
    new Promise<{ rows: bigint }>((resolve, reject) => {
      const rows = BigInt(ends.length + 1)
      ends.push(error => (error ? reject(error) : resolve({ rows })))
    })
  return { ends, ask: verifyTogether(verify) }
}
const settled = () => new Promise(resolve => setImmediate(resolve))

test('twenty who ask while the log is read share one reading, which begins after they asked', async () => {
  const { ends, ask } = readings()
  const first = ask()
  const others = Array.from({ length: 20 }, ask)
  expect(ends).toHaveLength(1)
  ends[0]!()
  expect((await first).rows).toBe(1n)
  await settled()
  expect(ends).toHaveLength(2)
  const late = ask()
  ends[1]!()
  expect(new Set((await Promise.all(others)).map(({ rows }) => rows))).toEqual(new Set([2n]))
  await settled()
  ends[2]!()
  expect((await late).rows).toBe(3n)
  expect(ends).toHaveLength(3)
})

test('a reading that fails is the answer of those who waited for it alone', async () => {
  const { ends, ask } = readings()
  const first = ask()
  const second = ask()
  ends[0]!(new Error('away'))
  await expect(first).rejects.toThrow('away')
  await settled()
  ends[1]!()
  expect((await second).rows).toBe(2n)
  const third = ask()
  ends[2]!()
  expect((await third).rows).toBe(3n)
})
