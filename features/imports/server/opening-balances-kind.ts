import { plainAgreementCode } from '@pc/domain/agreement/agreement-texts.ts'
import { ok, type Result } from '@pc/domain/result.ts'
import type { OpeningBalanceEntry } from '@pc/domain/settlement/opening-balance.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import type { Reader } from '@pc/platform/postgres/database.ts'
import { AgreementReferences } from './agreement-references.ts'
import { monthCell, monthNumber } from './agreement-use-cases.ts'
import { publisherColumns, publisherReferences } from './common-references.ts'
import { choiceColumn, codeColumn, monthColumn, wholeNumberColumn } from './import-columns.ts'
import type { Cells, ImportKind, Refused } from './import-kind.ts'
import { YES_NO, yesNo } from './workbook-labels.ts'

interface OpeningBalanceUseCases {
  saveOpeningBalances(
    write: Pick<Write, 'tx' | 'record' | 'recordNothing'>,
    entries: readonly OpeningBalanceEntry[],
  ): Promise<Result<unknown, Refused>>
}

const COLUMNS = [
  codeColumn('code', {
    header: '契約コード',
    isRequired: true,
    fields: ['agreementId'],
    example: 'AG-001',
    definition: '登録済みの契約のコードです。',
  }),
  ...publisherColumns,
  monthColumn('originMonth', {
    header: '発生月',
    isRequired: true,
    example: '2026-08',
    definition: '収益が発生した月です。消費税率はこの月で決まります。',
  }),
  wholeNumberColumn('amountYen', {
    header: '金額（税抜）',
    isRequired: true,
    example: '12000',
    definition: '支払っていない額です。払いすぎているときは負の数、登録した残高を取り消すときは0を入力します。',
  }),
  choiceColumn('isQualified', YES_NO, {
    header: '適格請求書発行事業者',
    example: 'はい',
    definition: '発生月の末日に登録があったかです。新しい行で空のときは「いいえ」とします。',
  }),
  monthColumn('bookedMonth', {
    header: '引継月',
    isRequired: true,
    example: '2026-10',
    definition: 'このシステムで最初に締める月です。その月の繰越として計算に入ります。',
  }),
]

export function openingBalancesKind({ saveOpeningBalances }: OpeningBalanceUseCases): ImportKind {
  return {
    name: 'opening-balances',
    title: '期首残高',
    description:
      '1行が、以前のシステムで支払い切れていない、1つの契約・パブリッシャー・発生月の収益です。先にパブリッシャーの条件を取り込んでください。',
    fileName: 'opening_balances',
    needs: [
      ['write:create', 'insight:opening_balance.'],
      ['write:update', 'insight:opening_balance.'],
      ['write:delete', 'insight:opening_balance.'],
    ],
    needsStepUp: true,
    columns: COLUMNS,
    async open(reader) {
      const publishers = await publisherReferences(reader)
      const agreements = await reader.selectFrom('agreements').select(['id', 'code', 'organizationId']).execute()
      const references = new AgreementReferences(agreements)
      const entryOf = (cells: Cells): OpeningBalanceEntry => ({
        agreementId: references.of(cells).id,
        publisherId: BigInt(cells.publisherId ?? ''),
        originMonth: monthNumber(cells.originMonth)!,
        bookedMonth: monthNumber(cells.bookedMonth)!,
        amountYen: BigInt(cells.amountYen ?? ''),
        isQualified: cells.isQualified === YES_NO.true,
      })
      return {
        present: (await readPresent(reader)).map(({ publisherId, ...row }) => {
          const cells: Cells = { ...row, ...publishers.cellsOf(publisherId) }
          return { key: keyOf(cells), cells }
        }),
        resolve(cells) {
          const agreement = references.demand(cells)
          if (!agreement.ok) return agreement
          const { code, organizationId } = agreement.value
          const publisher = publishers.demand(cells, one => one.organizationId === organizationId)
          if (!publisher.ok) return publisher
          return ok({ ...cells, code, ...publishers.cellsOf(publisher.value.id) })
        },
        keyOf,
        recordIdsOf: cells => references.recordIdsOf(cells),
        groupOf: cells => ({ group: plainAgreementCode(cells.code ?? ''), order: keyOf(cells) }),
        // 0 without an existing balance changes nothing; with one it removes the balance (hence the right to delete).
        holdsAlready: ({ amountYen }) => amountYen === '0',
        // The balances of an agreement must agree about the payee, so they are checked together.
        savesGroupsWhole: true,
        save: (write, rows) =>
          saveOpeningBalances(
            write.as('write:create', 'insight:opening_balance.'),
            rows.map(({ cells }) => entryOf(cells)),
          ),
      }
    },
  }
}

const keyOf = (cells: Cells) => `${plainAgreementCode(cells.code ?? '')} ${cells.publisherId} ${cells.originMonth}`

async function readPresent(reader: Reader) {
  const rows = await reader
    .selectFrom('openingBalances as o')
    .innerJoin('agreements as a', 'a.id', 'o.agreementId')
    .select(['a.code', 'o.publisherId', 'o.originMonth', 'o.amountYen', 'o.isQualified', 'o.bookedMonth'])
    .orderBy('o.agreementId')
    .orderBy('o.publisherId')
    .orderBy('o.originMonth')
    .execute()
  return rows.map(({ code, publisherId, ...row }) => ({
    ...{ code, publisherId },
    originMonth: monthCell(row.originMonth),
    amountYen: String(row.amountYen),
    isQualified: yesNo(row.isQualified),
    bookedMonth: monthCell(row.bookedMonth),
  }))
}
