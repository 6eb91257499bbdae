import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressLine, MAX_ADDRESS, normalizePostalCode, readPostalAddress } from './postal-address.ts'

test.each([
  ['100-0001', '100-0001'],
  ['1000001', '100-0001'],
  ['〒１００－０００１', '100-0001'],
  ['100ー0001', '100-0001'],
  ['100‐0001', '100-0001'],
  [' 100 0001 ', '100-0001'],
  ['', ''],
  ['　', ''],
  ['100-000', undefined],
  ['100-00011', undefined],
  ['1OO-0001', undefined],
  ['SW1A 1AA', undefined],
])('a postal code: %s', (typed, expected) => {
  expect(normalizePostalCode(typed)).toBe(expected)
})

const codesOf = (postalCode: string, address: string) => {
  const read = readPostalAddress({ postalCode, address })
  return read.ok ? [] : read.refusals.map(({ code, path }) => `${code} ${path.join()}`)
}

test('an address is one visible line of two hundred characters', () => {
  expect(codesOf('', '')).toEqual([])
  expect(codesOf('', '1 Example St, London SW1A 1AA')).toEqual([])
  expect(codesOf('100-0001', '　')).toEqual(['organization/address-missing address'])
  expect(codesOf('1', '東京都')).toEqual(['organization/postal-code-invalid postalCode'])
  expect(codesOf('', '東京都\n千代田区')).toEqual(['name/hidden-characters address'])
  expect(codesOf('', '東京\u{202E}都')).toEqual(['name/hidden-characters address'])
  expect(codesOf('', '𠮷'.repeat(MAX_ADDRESS))).toEqual([])
  expect(codesOf('', '𠮷'.repeat(MAX_ADDRESS + 1))).toEqual(['organization/address-too-long address'])
  expect(readPostalAddress({ postalCode: '１０００００１', address: ' 東京都千代田区千代田１－１　' })).toEqual({
    ok: true,
    value: { postalCode: '100-0001', address: '東京都千代田区千代田１－１' },
  })
})

test('in one line', () => {
  expect(addressLine({ postalCode: '100-0001', address: '東京都' })).toBe('〒100-0001　東京都')
  expect(addressLine({ postalCode: '', address: 'London' })).toBe('London')
  expect(addressLine({ postalCode: '', address: '' })).toBe('')
})

test('what was read is read as itself', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('', '100-0001', '１２３４５６７'),
      (address, postalCode) => {
        const read = readPostalAddress({ postalCode, address })
        if (read.ok) expect(readPostalAddress(read.value)).toEqual(read)
      },
    ),
  )
})
