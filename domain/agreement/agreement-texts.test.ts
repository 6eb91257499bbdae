import { expect, test } from 'vitest'
import { plainAgreementCode } from './agreement-texts.ts'

test.each([
  ['ＡＧ－０１', 'AG-01'],
  [' AG−01 ', 'AG-01'],
  ['AG‐01', 'AG-01'],
  ['AG–01', 'AG-01'],
  ['AG—01', 'AG-01'],
  ['契約ー１', '契約ー1'],
])('%s is %s', (typed, code) => {
  expect(plainAgreementCode(typed)).toBe(code)
})
