/** Endings of bank names: short in the bank master, full in documents. */
const ENDINGS: readonly (readonly [short: string, full: string])[] = [
  ['信金', '信用金庫'],
  ['信組', '信用組合'],
  ['労金', '労働金庫'],
  ['農林中金', '農林中央金庫'],
  ['商工中金', '商工組合中央金庫'],
]
/** Endings of names that are complete already: banks of every kind, and federations of cooperatives. */
const WHOLE = /(銀行|バンク|Bank|金庫|組合|連合会|信連|信漁連|農協|漁協|公社|機構|支店)$/

/**
 * `みずほ` → `みずほ銀行`. The bank master leaves out the word 銀行, documents do not.
 * Tested by `domain/statement/statement.test.ts`.
 */
export function bankFullName(name: string): string {
  const shortened = ENDINGS.find(([short]) => name.endsWith(short))
  if (shortened) return name.slice(0, name.length - shortened[0].length) + shortened[1]
  return name === '' || WHOLE.test(name) ? name : `${name}銀行`
}
