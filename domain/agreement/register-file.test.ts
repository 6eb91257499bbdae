import { expect, test } from 'vitest'
import { readRegisterFile } from './register-file.ts'

const published = (number: string, registered: string, cancelled = '', expired = '') =>
  `1,${number},01,0,2,1,1,${registered},2026-04-01,${cancelled},${expired},東京都港区,,,,,,,株式会社あさひ,,,,,`

test('the file that the tax agency publishes: no header, the earlier of cancellation and expiry ends a number', () => {
  const text = [
    published('T7123456789012', '2023-10-01'),
    published('T4011001098993', '2023-10-01', '2026-09-15', '2026-09-30'),
  ].join('\r\n')
  expect(readRegisterFile(text)).toEqual({
    ok: true,
    value: [
      { number: 'T7123456789012', registeredOn: '2023-10-01', endedOn: null },
      { number: 'T4011001098993', registeredOn: '2023-10-01', endedOn: '2026-09-15' },
    ],
  })
})

test('a table with a header, as people make it, in any order of columns', () => {
  const text =
    '\uFEFF名称,登録年月日,登録番号,失効年月日\n"あさひ, 株式会社",2023/10/1,Ｔ７１２３４５６７８９０１２,2026/9/30\n\n'
  expect(readRegisterFile(text)).toEqual({
    ok: true,
    value: [{ number: 'T7123456789012', registeredOn: '2023-10-01', endedOn: '2026-09-30' }],
  })
})

test('a number that was registered twice has two spans; a later line of the same span says its end', () => {
  const text = [
    published('T7123456789012', '2023-10-01'),
    published('T7123456789012', '2023-10-01', '', '2025-03-31'),
    published('T7123456789012', '2026-01-01'),
  ].join('\n')
  expect(readRegisterFile(text)).toMatchObject({ ok: true, value: [{ endedOn: '2025-03-31' }, { endedOn: null }] })
})

test('a span keeps its end, wherever its lines stand', () => {
  const text = [
    published('T7123456789012', '2023-10-01', '', '2025-03-31'),
    published('T7123456789012', '2023-10-01'),
  ].join('\n')
  expect(readRegisterFile(text)).toMatchObject({ ok: true, value: [{ endedOn: '2025-03-31' }] })
})

test.each(['取消年月日', '失効年月日', 'disposalDate', 'expireDate', '登録取消年月日', '登録失効年月日'])(
  'a header may call the end %s',
  name => {
    const text = `registratedNumber,registrationDate,${name}\nT7123456789012,2023-10-01,2026-09-30`
    expect(readRegisterFile(text)).toMatchObject({ ok: true, value: [{ endedOn: '2026-09-30' }] })
  },
)

test.each(['登録番号,登録年月日', '登録番号,失効年月日', '登録年月日,失効年月日'])(
  'a header without one of the three: %s',
  header => {
    expect(readRegisterFile(`${header}\nT7123456789012,2023-10-01`)).toMatchObject({
      refusals: [{ code: 'register-file/header-unknown' }],
    })
  },
)

test('a refusal says in which line; a cell that is missing is empty', () => {
  const after = (line: string) => readRegisterFile(`登録年月日,登録番号,失効年月日\n2023-10-01,T7123456789012\n${line}`)
  expect(after('2023-10-01,')).toMatchObject({
    refusals: [{ code: 'register-file/line-unreadable', data: { line: 3 } }],
  })
  expect(after('2023-10-01')).toMatchObject({
    refusals: [{ code: 'register-file/line-unreadable', data: { line: 3 } }],
  })
  expect(after('2023-10-01,T4011001098993,いつか')).toMatchObject({ refusals: [{ data: { line: 3 } }] })
  const twice = after('2023-10-01,T4011001098993,2025-03-31\n2023-10-01,T4011001098993,2025-04-30')
  expect(twice).toMatchObject({
    refusals: [{ code: 'register-file/twice', data: { line: 4, number: 'T4011001098993' } }],
  })
  expect(after('2023-10-01,T4011001098993')).toMatchObject({ ok: true, value: [{ endedOn: null }, { endedOn: null }] })
})

test.each([
  ['', 'register-file/empty'],
  ['登録番号,登録年月日,失効年月日\n', 'register-file/empty'],
  ['番号,日付\nT7123456789012,2023-10-01', 'register-file/header-unknown'],
  ['登録番号,登録年月日,失効年月日\n7123456789012,2023-10-01,', 'register-file/line-unreadable'],
  ['登録番号,登録年月日,失効年月日\nT7123456789012,2023-02-30,', 'register-file/line-unreadable'],
  ['登録番号,登録年月日,失効年月日\nT7123456789012,,', 'register-file/line-unreadable'],
  ['登録番号,登録年月日,失効年月日\nT7123456789012,2023-10-01,2023-10-01', 'register-file/line-unreadable'],
  [
    '登録番号,登録年月日,失効年月日\nT7123456789012,2023-10-01,2025-03-31\nT7123456789012,2023-10-01,2025-04-30',
    'register-file/twice',
  ],
])('a file that cannot be read as a whole is refused: %j', (text, code) => {
  expect(readRegisterFile(text)).toMatchObject({ ok: false, refusals: [{ code }] })
})
