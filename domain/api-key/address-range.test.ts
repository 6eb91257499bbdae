import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isAddressAllowed, readAddressRange } from './address-range.ts'

const ipv4 = fc.ipV4()
const group = fc.integer({ min: 0, max: 0xffff })

describe('a range that somebody enters', () => {
  test.each([
    ['203.0.113.10', '203.0.113.10'],
    ['203.0.113.10/32', '203.0.113.10'],
    ['203.0.113.0/24', '203.0.113.0/24'],
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['2001:db8:12:34::/64', '2001:db8:12:34::/64'],
    ['2001:0DB8:0012:0034:0:0:0:0/64', '2001:db8:12:34::/64'],
    ['2001:db8::/32', '2001:db8::/32'],
    ['2001:db8:0:5::/64', '2001:db8:0:5::/64'],
  ])('%s is %s', (text, range) => expect(readAddressRange(text)).toEqual({ range }))

  test.each([
    ['203.0.113.10/24', 'not-its-beginning', '203.0.113.0/24'],
    ['2001:db8:12:34::1/64', 'not-its-beginning', '2001:db8:12:34::/64'],
    ['2001:db8:12:34:5:6:7:8', 'too-narrow', '2001:db8:12:34::/64'],
    ['2001:db8:12:34::/96', 'too-narrow', '2001:db8:12:34::/64'],
    ['0.0.0.0/0', 'too-wide', undefined],
    ['8.0.0.0/7', 'too-wide', undefined],
    ['::/0', 'too-wide', undefined],
  ])('%s is none: %s', (text, problem, suggestion) => {
    const read = readAddressRange(text)
    expect(read).toEqual({ problem, ...(suggestion === undefined ? {} : { suggestion }) })
  })

  test.each([
    ...['', ' ', 'example.jp', '203.0.113', '203.0.113.256', '203.0.113.010', '203.0.113.0/33', '203.0.113.0/-1'],
    ...[
      '2001:db8',
      '1::2::3',
      ':::',
      '2001:db8:::/64',
      '::ffff:203.0.113.1',
      '12345::/64',
      '203.0.113.0/24 ',
      '1.2.3.4/',
    ],
    ...['203.0.113.0/24/8', '２０３.0.113.1', '2001:db8::/129', 'fe80::1%eth0'],
  ])('%s cannot be read', text => expect(readAddressRange(text)).toEqual({ problem: 'unreadable' }))

  test('what is written is read as itself, and holds its own beginning', () => {
    fc.assert(
      fc.property(ipv4, fc.integer({ min: 8, max: 32 }), (address, length) => {
        const read = readAddressRange(`${address}/${length}`)
        const range = 'range' in read ? read.range : read.suggestion!
        expect(readAddressRange(range)).toEqual({ range })
        expect(isAddressAllowed([range], address)).toBe(true)
      }),
    )
  })
})

describe('an address', () => {
  test('is allowed where no range is named, or within one of those that are', () => {
    expect(isAddressAllowed([], '203.0.113.10')).toBe(true)
    const ranges = ['203.0.113.0/28', '198.51.100.7', '2001:db8:12:34::/64', '2001:db8:aa::/48']
    for (const one of ['203.0.113.0', '203.0.113.15', '198.51.100.7', '2001:db8:12:34::/64', '2001:db8:aa:1::/64'])
      expect([one, isAddressAllowed(ranges, one)]).toEqual([one, true])
    const others = ['203.0.113.16', '203.0.112.255', '198.51.100.8', '2001:db8:12:35::/64', '2001:db8:ab::/64']
    for (const one of [...others, '', 'x', '::', '0.0.0.0'])
      expect([one, isAddressAllowed(ranges, one)]).toEqual([one, false])
  })

  test('of IPv4 is within a range exactly when its first bits are those', () => {
    fc.assert(
      fc.property(ipv4, ipv4, fc.integer({ min: 8, max: 32 }), (one, other, length) => {
        const bits = (text: string) =>
          text
            .split('.')
            .map(part => Number(part).toString(2).padStart(8, '0'))
            .join('')
        const read = readAddressRange(`${one}/${length}`)
        const range = 'range' in read ? read.range : read.suggestion!
        expect(isAddressAllowed([range], other)).toBe(bits(one).slice(0, length) === bits(other).slice(0, length))
      }),
    )
  })

  test('of IPv6 is matched by its network, as every spelling of it', () => {
    fc.assert(
      fc.property(fc.tuple(group, group, group, group), fc.integer({ min: 20, max: 64 }), (groups, length) => {
        const network = `${groups.map(each => each.toString(16)).join(':')}::`
        const read = readAddressRange(`${network}/${length}`)
        const range = 'range' in read ? read.range : read.suggestion!
        expect(readAddressRange(range)).toEqual({ range })
        expect(isAddressAllowed([range], `${network}/64`)).toBe(true)
      }),
    )
  })
})
