import { type BoardTile, TILE_FIGURES, TILE_PERIODS, TILE_REPORTS, TILE_SHAPES } from '@pc/domain/board/board.ts'
import { ARTICLE_LABEL_KINDS } from '@pc/domain/report/article-label.ts'
import { COMPARISONS } from '@pc/domain/report/comparison.ts'
import { GRANULARITIES } from '@pc/domain/report/granularity.ts'
import type { Clock } from '@pc/platform/clock.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readId, readPage } from '@pc/platform/graphql/list-arguments.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { type BoardRow, findBoard, listBoards, plainTile } from './board-store.ts'
import { deleteBoard, restoreBoard } from './delete-board.ts'
import { addBoard, changeBoard, pinToBoard } from './save-board.ts'

interface Dependencies {
  readonly database: Database
  readonly clock: Clock
}
const ON = 'insight:board.'
const CONDITION = 'The filter as an address of the report names it: `mediumId=1&publisherId=7,8`. Empty: none.'

/** Adds `boards`, `board`, `saveBoard`, `pinToBoard`, `deleteBoard` and `restoreBoard`. */
export function addBoardFields(graph: Graph, dependencies: Dependencies): void {
  const types = boardTypes(graph)
  addBoardQueries(graph, dependencies, types)
  addBoardMutations(graph, dependencies, types)
}

type Types = ReturnType<typeof boardTypes>

function tileEnums(graph: Graph) {
  return {
    Report: graph.enumType('BoardTileReport', { values: TILE_REPORTS }),
    Shape: graph.enumType('BoardTileShape', { values: TILE_SHAPES }),
    Figure: graph.enumType('BoardTileFigure', { values: TILE_FIGURES }),
    Period: graph.enumType('BoardTilePeriod', { values: TILE_PERIODS }),
    Granularity: graph.enumType('BoardTileGranularity', { values: GRANULARITIES }),
    Comparison: graph.enumType('BoardTileComparison', { values: COMPARISONS }),
    Group: graph.enumType('BoardTileGroup', { values: ARTICLE_LABEL_KINDS }),
  }
}

function boardTypes(graph: Graph) {
  const enums = tileEnums(graph)
  const Tile = graph.objectRef<BoardTile>('BoardTile').implement({
    on: ON,
    description: 'A pinned view. Its figures are asked for by the reader, with the rights of the reader.',
    fields: t => ({
      id: t.exposeString('id', { description: 'Within its board.' }),
      title: t.exposeString('title'),
      report: t.expose('report', { type: enums.Report }),
      shape: t.expose('shape', { type: enums.Shape }),
      figure: t.expose('figure', { type: enums.Figure }),
      granularity: t.expose('granularity', { type: enums.Granularity }),
      period: t.expose('period', { type: enums.Period, description: 'Relative to the day of reading, or fixed.' }),
      from: t.expose('from', { type: 'Date', nullable: true }),
      to: t.expose('to', { type: 'Date', nullable: true }),
      compareWith: t.expose('compareWith', { type: enums.Comparison, nullable: true }),
      condition: t.exposeString('condition', { description: CONDITION }),
      groupBy: t.expose('groupBy', {
        type: enums.Group,
        nullable: true,
        description: 'Of articles: by author, section or tag; null: by article, or by period.',
      }),
      width: t.exposeInt('width', { description: 'Columns, 1 to 4.' }),
      height: t.exposeInt('height', { description: 'Rows, 1 to 3.' }),
    }),
  })
  const Board = graph.objectRef<BoardRow>('Board').implement({
    on: ON,
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      name: t.exposeString('name'),
      isMine: t.exposeBoolean('isMine', { description: 'Only the own ones can be changed.' }),
      isByStaff: t.exposeBoolean('isByStaff'),
      ownerEmail: t.exposeString('ownerEmail', {
        nullable: true,
        description: 'Null where the caller may not see the owner.',
      }),
      sharedRoles: t.field({ type: ['String'], resolve: board => [...board.sharedRoles] }),
      tiles: t.field({ type: [Tile], description: 'In the order of reading.', resolve: board => [...board.tiles] }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
      revision: t.exposeInt('revision', { description: 'Send it back as expectedRevision when saving.' }),
    }),
  })
  const TileInput = graph.inputType('BoardTileInput', {
    fields: t => ({
      id: t.string({ required: true }),
      title: t.string({ required: true }),
      report: t.field({ type: enums.Report, required: true }),
      shape: t.field({ type: enums.Shape, required: true }),
      figure: t.field({ type: enums.Figure, required: true }),
      granularity: t.field({ type: enums.Granularity, required: true }),
      period: t.field({ type: enums.Period, required: true }),
      from: t.field({ type: 'Date' }),
      to: t.field({ type: 'Date' }),
      compareWith: t.field({ type: enums.Comparison }),
      condition: t.string({ description: CONDITION }),
      groupBy: t.field({ type: enums.Group }),
      width: t.int({ required: true }),
      height: t.int({ required: true }),
    }),
  })
  return { Board, TileInput }
}

function addBoardQueries(graph: Graph, { database }: Dependencies, { Board }: Types): void {
  const BoardList = graph.objectRef<{ total: number; nodes: BoardRow[] }>('BoardList').implement({
    on: ON,
    fields: t => ({ total: t.exposeInt('total'), nodes: t.expose('nodes', { type: [Board] }) }),
  })
  graph.queryField('boards', t =>
    field(t, {
      type: BoardList,
      args: { limit: t.arg.int({ required: true }), offset: t.arg.int({ required: true }) },
      allow: 'read:list',
      on: ON,
      description: "The caller's own boards, then those that are shared with the caller.",
      resolve: (_parent, args, _context, permit) => listBoards(database, readPage(args), permit),
    }),
  )
  graph.queryField('board', t =>
    field(t, {
      type: Board,
      nullable: true,
      args: { id: t.arg.id({ required: true }) },
      allow: 'read:show',
      on: ON,
      description: 'Null when there is none, or none that the caller may see.',
      resolve: async (_parent, args, _context, permit) =>
        (await findBoard(database, readId(args.id, ['id']), permit)) ?? null,
    }),
  )
}

function addBoardMutations(graph: Graph, { database, clock }: Dependencies, { Board, TileInput }: Types): void {
  const BoardInput = graph.inputType('BoardInput', {
    fields: t => ({
      id: t.id(),
      expectedRevision: t.int({ description: 'The revision that the change began with.' }),
      name: t.string(),
      sharedRoles: t.stringList({ description: 'Roles whose people may read it; none: personal.' }),
      tiles: t.field({ type: [TileInput] }),
    }),
  })
  graph.mutationField('saveBoard', t =>
    mutation(t, {
      type: Board,
      args: { input: t.arg({ type: BoardInput, required: true }) },
      allow: 'write:update',
      on: ON,
      description: 'Without id: a new board of the caller. With id: changes what is sent of an own one.',
      database,
      async run({ input }, write) {
        const { id, expectedRevision } = input
        const values = {
          name: input.name ?? undefined,
          sharedRoles: input.sharedRoles ?? undefined,
          tiles: input.tiles?.map(tileOf),
        }
        return id ? changeBoard(readId(id, ['input', 'id']), values, expectedRevision, write) : addBoard(values, write)
      },
    }),
  )
  const PinInput = graph.inputType('PinToBoardInput', {
    fields: t => ({
      boardId: t.id({ description: 'An own board; without it a new one is made.' }),
      boardName: t.string({ description: 'Of the new board.' }),
      tile: t.field({ type: TileInput, required: true }),
    }),
  })
  graph.mutationField('pinToBoard', t =>
    mutation(t, {
      type: Board,
      args: { input: t.arg({ type: PinInput, required: true }) },
      allow: 'write:update',
      on: ON,
      database,
      async run({ input }, write) {
        const tile = tileOf(input.tile)
        return input.boardId
          ? pinToBoard(readId(input.boardId, ['input', 'boardId']), tile, write)
          : addBoard({ name: input.boardName ?? '', tiles: [tile] }, write)
      },
    }),
  )
  graph.mutationField('deleteBoard', t =>
    mutation(t, {
      type: 'ID',
      args: { id: t.arg.id({ required: true }) },
      allow: 'write:delete',
      on: ON,
      description: 'An own board; it can be restored for a day.',
      database,
      run: ({ id }, write) => deleteBoard(readId(id, ['id']), clock.now(), write),
    }),
  )
  graph.mutationField('restoreBoard', t =>
    mutation(t, {
      type: Board,
      args: { id: t.arg.id({ required: true }) },
      allow: 'write:delete',
      on: ON,
      database,
      run: ({ id }, write) => restoreBoard(readId(id, ['id']), clock.now(), write),
    }),
  )
}

type Optional = 'from' | 'to' | 'compareWith' | 'groupBy' | 'condition'
type SentTile = Omit<BoardTile, Optional> & { readonly [Name in Optional]?: BoardTile[Name] | null | undefined }

function tileOf(sent: SentTile): BoardTile {
  return plainTile({
    ...sent,
    from: sent.from ?? null,
    to: sent.to ?? null,
    compareWith: sent.compareWith ?? null,
    condition: sent.condition ?? '',
    groupBy: sent.groupBy ?? null,
  })
}
