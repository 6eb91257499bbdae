import { addDays, type Day, dayOf, dayOfWeek } from '@pc/domain/month/day.ts'

/**
 * National holidays by the rules of the holiday act, for demonstration only: the product imports the Cabinet Office's
 * file, which is what counts (equinoxes are announced, and laws move days).
 */
export function demoHolidaysCsv(firstYear: number, lastYear: number): string {
  const rows: string[] = []
  for (let year = firstYear; year <= lastYear; year += 1) {
    for (const [date, name] of holidaysOf(year)) {
      const [y = '', m = '', d = ''] = date.split('-')
      rows.push(`${y}/${Number(m)}/${Number(d)},${name}`)
    }
  }
  return `国民の祝日・休日月日,国民の祝日・休日名称\n${rows.join('\n')}\n`
}

function holidaysOf(year: number): readonly (readonly [Day, string])[] {
  const named = new Map<Day, string>([
    [dayOf(year, 1, 1), '元日'],
    [mondayOf(year, 1, 2), '成人の日'],
    [dayOf(year, 2, 11), '建国記念の日'],
    [dayOf(year, 2, 23), '天皇誕生日'],
    [dayOf(year, 3, equinox(year, 20_843_100)), '春分の日'],
    [dayOf(year, 4, 29), '昭和の日'],
    [dayOf(year, 5, 3), '憲法記念日'],
    [dayOf(year, 5, 4), 'みどりの日'],
    [dayOf(year, 5, 5), 'こどもの日'],
    [mondayOf(year, 7, 3), '海の日'],
    [dayOf(year, 8, 11), '山の日'],
    [mondayOf(year, 9, 3), '敬老の日'],
    [dayOf(year, 9, equinox(year, 23_248_800)), '秋分の日'],
    [mondayOf(year, 10, 2), 'スポーツの日'],
    [dayOf(year, 11, 3), '文化の日'],
    [dayOf(year, 11, 23), '勤労感謝の日'],
  ])
  const all = new Map(named)
  // A holiday on a Sunday moves to the next day that is none; a day between two holidays is one too (article 3).
  for (const date of named.keys()) {
    if (dayOfWeek(date) !== 0) continue
    let next = addDays(date, 1)
    while (named.has(next)) next = addDays(next, 1)
    all.set(next, '休日')
  }
  for (const date of named.keys()) {
    const between = addDays(date, 1)
    if (named.has(addDays(date, 2)) && !all.has(between) && dayOfWeek(between) !== 0) all.set(between, '休日')
  }
  return [...all].toSorted(([a], [b]) => (a < b ? -1 : 1))
}

function mondayOf(year: number, month: number, week: number): Day {
  const first = dayOf(year, month, 1)
  return addDays(first, ((8 - dayOfWeek(first)) % 7) + (week - 1) * 7)
}

/** Good from 1980 to 2099. @param base of 1980, in millionths of a day */
function equinox(year: number, base: number): number {
  const years = year - 1980
  return Math.floor((base + 242_194 * years) / 1_000_000) - Math.floor(years / 4)
}
