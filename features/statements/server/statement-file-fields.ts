import { actorOf, recordRead } from '@pc/platform/audit/record-read.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readId } from '@pc/platform/graphql/list-arguments.ts'
import { refuse } from '@pc/platform/graphql/refusal-error.ts'
import type { StatementDependencies } from './statement-dependencies.ts'
import {
  evidenceFile,
  readEvidence,
  STATEMENT_FORMATS,
  type StatementFile,
  sha256Of,
  statementBundle,
  statementFile,
} from './statement-files.ts'
import { findStatement, findStatements, type StatementRow } from './statement-store.ts'

const RESOURCE = 'insight:statement.' as const
/** Statements in one archive; drawing that many takes a second or two. */
const MAX_BUNDLED = 100

/**
 * Files of statements, within the rows of the caller's permit. Each download is recorded in the audit log before it is
 * sent.
 */
export function addStatementFileFields(graph: Graph, { database, isPractice }: StatementDependencies): void {
  const Format = graph.enumType('StatementFormat', { values: STATEMENT_FORMATS })
  const File = graph.objectRef<StatementFile>('StatementFile').implement({
    on: RESOURCE,
    fields: t => ({
      fileName: t.exposeString('fileName'),
      mimeType: t.exposeString('mimeType'),
      base64: t.string({ resolve: file => Buffer.from(file.content).toString('base64') }),
      sha256: t.string({
        description: 'Of the bytes: the same on every day.',
        resolve: file => sha256Of(file.content),
      }),
    }),
  })
  graph.queryField('statementFile', t =>
    field(t, {
      type: File,
      nullable: true,
      description: 'One statement as a file; the evidence (ZIP) is for staff. Noted in the audit log.',
      args: { id: t.arg.id({ required: true }), format: t.arg({ type: Format, required: true }) },
      allow: 'read:show',
      on: RESOURCE,
      async resolve(_parent, args, context, permit) {
        const id = readId(args.id, ['id'])
        const { format } = args
        if (format === 'evidence' && permit.scope.kind !== 'all') refuse('statement/only-payer', ['format'])
        const found = await database.inScope(permit.scope, async tx => {
          const row = await findStatement(tx, id, permit)
          return row && { row, evidence: format === 'evidence' ? await readEvidence(tx, row) : undefined }
        })
        if (!found) return null
        const { row, evidence } = found
        const file =
          format === 'evidence'
            ? await evidenceFile(row, evidence ?? { events: [], chain: undefined }, isPractice)
            : await statementFile(row, format, isPractice)
        await recordRead(database, actorOf(permit.viewer, context), downloadOf(row, file))
        return file
      },
    }),
  )
  graph.queryField('statementBundle', t =>
    field(t, {
      type: File,
      nullable: true,
      description: `PDF and CSV of several statements as one ZIP, at most ${MAX_BUNDLED}. Noted in the audit log.`,
      args: { ids: t.arg.idList({ required: true }) },
      allow: 'read:list',
      on: RESOURCE,
      async resolve(_parent, args, context, permit) {
        const ids = [...new Set(args.ids.map(id => readId(id, ['ids'])))]
        if (ids.length > MAX_BUNDLED) refuse('statement/too-many', ['ids'], { max: MAX_BUNDLED })
        const rows = await database.inScope(permit.scope, tx => findStatements(tx, ids, permit))
        if (rows.length === 0) return null
        const file = await statementBundle(rows, isPractice)
        const actor = actorOf(permit.viewer, context)
        await recordRead(database, actor, ...rows.map(row => downloadOf(row, file)))
        return file
      },
    }),
  )
}

function downloadOf({ id, number, revision }: StatementRow, { fileName, content }: StatementFile) {
  const what = { fileName, number, revision, bytes: content.length }
  return { action: 'download', resource: RESOURCE, rowId: id, what } as const
}
