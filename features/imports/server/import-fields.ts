import type { Viewer } from '@pc/domain/access/viewer-scope.ts'
import { ok } from '@pc/domain/result.ts'
import { actorOf, recordRead } from '@pc/platform/audit/record-read.ts'
import type { Clock } from '@pc/platform/clock.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readId, readPage } from '@pc/platform/graphql/list-arguments.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { discardImport } from './discard-import.ts'
import { IMPORT, mayImport } from './import-access.ts'
import type { ImportColumn } from './import-columns.ts'
import type { ImportKind } from './import-kind.ts'
import { findImport, type ImportRow, listImports, readStoredRows, type StoredRow } from './import-store.ts'
import type { RowChange, RowRefusal } from './judge-rows.ts'

interface Dependencies {
  readonly database: Database
  readonly clock: Clock
  /** In the order in which to import them into an empty system. */
  readonly kinds: readonly ImportKind[]
}

const STATES = ['new', 'changed', 'unchanged', 'refused'] as const

/** Queries of import kinds, previews and past imports, and the mutation that discards a preview. */
export function addImportFields(graph: Graph, { database, clock, kinds }: Dependencies): void {
  const { Kind, Import, ImportList, RowList, State } = importTypes(graph, kinds)
  const mine = (viewer: Viewer) => kinds.filter(kind => mayImport(viewer, kind))
  const find = (viewer: Viewer, id: bigint) =>
    database
      .inScope(viewer.scope, tx => findImport(tx, id), { readOnly: true })
      .then(found => {
        const isMine = mine(viewer).some(({ name }) => name === found?.kind)
        return found && isMine ? found : null
      })
  graph.queryField('importKinds', t =>
    field(t, {
      type: [Kind],
      allow: 'read:list',
      on: IMPORT,
      resolve: (_parent, _args, _context, permit) => mine(permit.viewer),
    }),
  )
  graph.queryField('imports', t =>
    field(t, {
      type: ImportList,
      args: {
        limit: t.arg.int({ required: true }),
        offset: t.arg.int({ required: true }),
        isWaiting: t.arg.boolean({ description: 'Only what somebody may still confirm.' }),
      },
      allow: 'read:list',
      on: IMPORT,
      resolve: (_parent, args, _context, { viewer, scope }) => {
        const names = mine(viewer).map(({ name }) => name)
        const page = { ...readPage(args), isWaiting: args.isWaiting === true }
        return database.inScope(scope, tx => listImports(tx, names, new Date(clock.now()), page), { readOnly: true })
      },
    }),
  )
  graph.queryField('importPreview', t =>
    field(t, {
      type: Import,
      nullable: true,
      args: { id: t.arg.id({ required: true }) },
      allow: 'read:show',
      on: IMPORT,
      resolve: (_parent, { id }, _context, { viewer }) => find(viewer, readId(String(id), ['id'])),
    }),
  )
  graph.queryField('importRows', t =>
    field(t, {
      type: RowList,
      nullable: true,
      args: {
        id: t.arg.id({ required: true }),
        state: t.arg({ type: State }),
        limit: t.arg.int({ required: true }),
        offset: t.arg.int({ required: true }),
      },
      allow: 'read:show',
      on: IMPORT,
      async resolve(_parent, { id, state, ...args }, context, { viewer, scope }) {
        const found = await find(viewer, readId(String(id), ['id']))
        const kind = kinds.find(({ name }) => name === found?.kind)
        if (!found || !kind) return null
        const page = readPage(args)
        const options = { state: state ?? undefined, limit: page.limit, offset: page.offset }
        const rows = await database.inScope(scope, tx => readStoredRows(tx, found.id, options), { readOnly: true })
        if (kind.showsAccounts && rows.length > 0) {
          await recordRead(database, actorOf(viewer, context), {
            action: 'read-in-full',
            resource: 'insight:bank_account.',
            rowId: `import-${found.id}`,
            what: { fileName: found.fileName, rows: rows.length },
          })
        }
        return { total: countOf(found, state ?? undefined), nodes: rows.map(row => ({ ...row, kind })) }
      },
    }),
  )
  graph.mutationField('discardImport', t =>
    mutation(t, {
      type: 'Boolean',
      description: 'Removes a preview that nobody has confirmed, with the rows of its file.',
      args: { id: t.arg.id({ required: true }) },
      allow: 'write:create',
      on: IMPORT,
      database,
      async run(args, write) {
        const id = readId(args.id, ['id'])
        const { viewer } = write.permit
        const discarded = await discardImport(write.tx, id, name => mine(viewer).some(kind => kind.name === name))
        if (!discarded.ok) return discarded
        const { kind, fileName, fileSha256, newCount, changedCount, uploadedByEmail } = discarded.value
        const before = { kind, fileName, fileSha256, newCount, changedCount, uploadedByEmail }
        write.record({ action: 'delete', resource: IMPORT, rowId: id, before, after: null })
        return ok(true)
      },
    }),
  )
}

function countOf(found: ImportRow, state: StoredRow['state'] | undefined): number {
  const counts = {
    new: found.newCount,
    changed: found.changedCount,
    unchanged: found.unchangedCount,
    refused: found.refusedCount,
  }
  return state === undefined ? Object.values(counts).reduce((sum, count) => sum + count, 0) : counts[state]
}

function importTypes(graph: Graph, kinds: readonly ImportKind[]) {
  const State = graph.enumType('ImportRowState', { values: STATES })
  const Column = graph.objectRef<ImportColumn>('ImportColumn').implement({
    on: 'inherits',
    fields: t => ({
      header: t.exposeString('header'),
      isRequired: t.exposeBoolean('isRequired'),
      definition: t.exposeString('definition'),
      example: t.exposeString('example'),
    }),
  })
  const Kind = graph.objectRef<ImportKind>('ImportKind').implement({
    on: 'inherits',
    fields: t => ({
      name: t.exposeString('name'),
      title: t.exposeString('title'),
      description: t.exposeString('description'),
      needsStepUp: t.boolean({ resolve: ({ needsStepUp = false }) => needsStepUp }),
      confirmedByOther: t.boolean({ resolve: ({ confirmedByOther = false }) => confirmedByOther }),
      invites: t.boolean({ resolve: ({ invites = false }) => invites }),
      columns: t.field({ type: [Column], resolve: kind => [...kind.columns] }),
    }),
  })
  const Change = graph.objectRef<RowChange>('ImportRowChange').implement({
    on: 'inherits',
    fields: t => ({
      header: t.exposeString('header'),
      before: t.exposeString('before'),
      after: t.exposeString('after'),
    }),
  })
  const Reason = graph.objectRef<RowRefusal>('ImportRowRefusal').implement({
    on: 'inherits',
    fields: t => ({ header: t.exposeString('header', { nullable: true }), text: t.exposeString('text') }),
  })
  const Cell = graph.objectRef<{ readonly header: string; readonly text: string }>('ImportCell').implement({
    on: 'inherits',
    fields: t => ({ header: t.exposeString('header'), text: t.exposeString('text') }),
  })
  const Row = graph.objectRef<ShownRow>('ImportRow').implement({
    on: 'inherits',
    fields: t => ({
      rowNumber: t.exposeInt('rowNumber'),
      state: t.field({ type: State, resolve: row => row.state }),
      cells: t.field({ type: [Cell], resolve: shownCells }),
      changes: t.field({ type: [Change], resolve: row => [...row.changes] }),
      refusals: t.field({ type: [Reason], resolve: row => [...row.refusals] }),
    }),
  })
  const RowList = graph.objectRef<{ total: number; nodes: readonly ShownRow[] }>('ImportRowList').implement({
    on: IMPORT,
    fields: t => ({ total: t.exposeInt('total'), nodes: t.field({ type: [Row], resolve: list => [...list.nodes] }) }),
  })
  const Import = graph.objectRef<ImportRow>('Import').implement({
    on: IMPORT,
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      kind: t.field({
        type: Kind,
        nullable: true,
        resolve: row => kinds.find(({ name }) => name === row.kind) ?? null,
      }),
      fileName: t.exposeString('fileName'),
      previewSha256: t.exposeString('previewSha256'),
      newCount: t.exposeInt('newCount'),
      changedCount: t.exposeInt('changedCount'),
      unchangedCount: t.exposeInt('unchangedCount'),
      refusedCount: t.exposeInt('refusedCount'),
      uploadedByUid: t.exposeID('uploadedByUid'),
      uploadedByEmail: t.exposeString('uploadedByEmail'),
      uploadedAt: t.expose('uploadedAt', { type: 'DateTime' }),
      confirmedByEmail: t.exposeString('confirmedByEmail', { nullable: true }),
      confirmedAt: t.expose('confirmedAt', { type: 'DateTime', nullable: true }),
    }),
  })
  const ImportList = graph.objectRef<{ total: number; nodes: readonly ImportRow[] }>('ImportList').implement({
    on: IMPORT,
    fields: t => ({
      total: t.exposeInt('total'),
      nodes: t.field({ type: [Import], resolve: list => [...list.nodes] }),
    }),
  })
  return { Kind, Import, ImportList, RowList, State }
}

type ShownRow = StoredRow & { readonly kind: ImportKind }

/** The cells of a row with the ids of the records that they name. */
function shownCells({ kind, cells, recordIds }: ShownRow) {
  return kind.columns.flatMap(({ key, header }) => {
    const cell = cells[key]
    const text = (cell?.day ?? cell?.text) || recordIds[key]
    return cell === undefined && text === undefined ? [] : [{ header, text: text ?? '' }]
  })
}
