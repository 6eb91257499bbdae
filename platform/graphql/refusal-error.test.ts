import { refusal } from '@pc/domain/refusal.ts'
import { expect, test } from 'vitest'
import { refusalError } from './refusal-error.ts'

test('that others were quicker differs from what is wrong in itself', () => {
  const conflict = refusal('record/edited-by-other', ['expectedRevision'], {})
  const wrong = refusal('record/not-found', [])
  expect(refusalError([conflict]).extensions).toMatchObject({ code: 'BAD_REQUEST', isConflict: true })
  expect(refusalError([wrong]).extensions).not.toHaveProperty('isConflict')
  expect(refusalError([conflict, wrong]).extensions).not.toHaveProperty('isConflict')
})
