import { expect, test } from 'vitest'
import { treatyFormRefusals } from './treaty-form.ts'

const FORM = { treatyFormFrom: '2026-07-01', treatyFormTo: '2026-07-31', treatyFormRate: 1000 }
const NONE = { treatyFormFrom: null, treatyFormTo: null, treatyFormRate: null }
const codes = (fields: object, payeeResidence = 'non_resident') =>
  treatyFormRefusals({ ...FORM, payeeResidence, ...fields }).map(({ code, path }) => `${code} ${path.join('.')}`)

test('a treaty form has a first day and a rate; only non-residents have one', () => {
  expect(codes({})).toEqual([])
  expect(codes({ treatyFormTo: null })).toEqual([])
  expect(codes({ treatyFormTo: '2026-07-01' })).toEqual([])
  expect(codes(NONE)).toEqual([])
  expect(codes(NONE, 'resident')).toEqual([])
  expect(codes({}, 'resident')).toEqual(['agreement/treaty-form-of-resident input.payeeResidence'])
  expect(codes({ ...NONE, treatyFormTo: '2026-07-01' }, 'resident')).toHaveLength(1)
  expect(codes({ treatyFormTo: '2026-06-30' })).toEqual(['agreement/treaty-form-ends-early input.treatyFormTo'])
  expect(codes({ treatyFormFrom: null })).toEqual(['agreement/treaty-form-incomplete input.treatyFormFrom'])
  expect(codes({ treatyFormRate: null })).toEqual(['agreement/treaty-form-incomplete input.treatyFormRate'])
  for (const rate of [0, 2042]) expect(codes({ treatyFormRate: rate })).toEqual([])
  for (const rate of [-1, 2043, 10.5, Number.NaN]) {
    expect(codes({ treatyFormRate: rate })).toEqual(['agreement/treaty-form-rate input.treatyFormRate'])
  }
  expect(treatyFormRefusals({ ...FORM, payeeResidence: 'non_resident', treatyFormRate: 2043 })[0]?.data).toEqual({
    max: 20.42,
  })
})
