import { expect, test } from 'vitest'
import { checkSchemas } from './printed-schemas.ts'

test('the committed schemas are those of the code', async () => {
  expect((await checkSchemas()).problems).toEqual([])
})
