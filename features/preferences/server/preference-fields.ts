import { isPreferenceKey } from '@pc/domain/preference/preference-key.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph, ObjectTypeRef } from '@pc/platform/graphql/graph.ts'
import { readId } from '@pc/platform/graphql/list-arguments.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import { refuse } from '@pc/platform/graphql/refusal-error.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { type PreferenceRow, readPreferences, readSavedViews, type SavedViewRow } from './preference-store.ts'
import { savePreference } from './save-preference.ts'
import { removeView, saveView } from './save-views.ts'

const MAX_KEYS = 20
/** Preferences are personal: everybody who may see their own user may have them. */
const OWN_USER = { allow: 'read:show', on: 'iam:user.' } as const

/** `preferences`, `savedViews`, `savePreference`, `saveView`, `deleteSavedView`, `restoreSavedView`. */
export function addPreferenceFields(graph: Graph, { database }: { readonly database: Database }): void {
  const Preference = graph.objectRef<PreferenceRow>('Preference').implement({
    on: 'inherits',
    fields: t => ({ key: t.exposeString('key'), value: t.exposeString('value', { description: 'JSON.' }) }),
  })
  const SavedView = graph.objectRef<SavedViewRow>('SavedView').implement({
    on: 'inherits',
    description: "A screen's condition and columns under a name.",
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      screen: t.exposeString('screen'),
      name: t.exposeString('name'),
      condition: t.exposeString('condition', { description: 'As in the address; empty: the default.' }),
      columns: t.stringList({
        nullable: true,
        description: "Null: the viewer's own choice.",
        resolve: row => (row.columns === null ? null : [...row.columns]),
      }),
      sharedWithRole: t.exposeString('sharedWithRole', { nullable: true }),
      isOwn: t.exposeBoolean('isOwn'),
      ownerEmail: t.exposeString('ownerEmail', { description: 'Empty where the caller may not know the owner.' }),
      revision: t.exposeInt('revision', { description: 'Send it back as expectedRevision when saving.' }),
    }),
  })
  addQueries(graph, database, Preference, SavedView)
  graph.mutationField('savePreference', t =>
    mutation(t, {
      type: Preference,
      nullable: true,
      ...OWN_USER,
      database,
      description: 'Keeps a choice of the caller; without a value the default holds again.',
      args: {
        key: t.arg.string({ required: true }),
        value: t.arg.string({ description: 'JSON.' }),
        expectedValue: t.arg.string({
          description: 'JSON of what was chosen as far as the caller knew, null for nothing; absent: not compared.',
        }),
      },
      run: ({ key, value, expectedValue }, write) =>
        savePreference({ key, value: value ?? undefined, expectedValue }, write),
    }),
  )
  addViewMutations(graph, database, SavedView)
}

function addQueries(
  graph: Graph,
  database: Database,
  Preference: ObjectTypeRef<PreferenceRow>,
  SavedView: ObjectTypeRef<SavedViewRow>,
): void {
  graph.queryField('preferences', t =>
    field(t, {
      type: [Preference],
      ...OWN_USER,
      description: 'What the caller has chosen, for those of the keys for which there is a choice.',
      args: { keys: t.arg.stringList({ required: true }) },
      resolve(_parent, { keys }, _context, permit) {
        if (keys.length > MAX_KEYS || !keys.every(isPreferenceKey)) refuse('preference/key-invalid', ['keys'])
        return database.inScope(permit.scope, async tx => [...(await readPreferences(tx, permit.viewer, keys))])
      },
    }),
  )
  graph.queryField('savedViews', t =>
    field(t, {
      type: [SavedView],
      ...OWN_USER,
      description: "The caller's own views of a screen, and those shared with one of the caller's roles.",
      args: { screen: t.arg.string({ required: true }) },
      resolve: (_parent, { screen }, _context, permit) =>
        database.inScope(permit.scope, tx => readSavedViews(tx, permit.viewer, screen)),
    }),
  )
}

function addViewMutations(graph: Graph, database: Database, SavedView: ObjectTypeRef<SavedViewRow>): void {
  const SavedViewInput = graph.inputType('SavedViewInput', {
    fields: t => ({
      id: t.id({ description: 'Absent: a new view.' }),
      screen: t.string({ required: true }),
      name: t.string({ required: true }),
      condition: t.string({ required: true }),
      columns: t.stringList({ description: "Absent: the viewer's own choice." }),
      sharedWithRole: t.string({ description: 'Staff only; absent: for the caller alone.' }),
      expectedRevision: t.int(),
    }),
  })
  graph.mutationField('saveView', t =>
    mutation(t, {
      type: SavedView,
      ...OWN_USER,
      database,
      args: { input: t.arg({ type: SavedViewInput, required: true }) },
      run: ({ input }, write) =>
        saveView(
          {
            ...input,
            id: input.id === null || input.id === undefined ? undefined : readId(input.id, ['input', 'id']),
            columns: input.columns ?? undefined,
            sharedWithRole: input.sharedWithRole ?? undefined,
            expectedRevision: input.expectedRevision ?? undefined,
          },
          write,
        ),
    }),
  )
  for (const [name, isDeleted] of [
    ['deleteSavedView', true],
    ['restoreSavedView', false],
  ] as const) {
    graph.mutationField(name, t =>
      mutation(t, {
        type: SavedView,
        ...OWN_USER,
        database,
        args: { id: t.arg.id({ required: true }) },
        run: ({ id }, write) => removeView(readId(id, ['id']), isDeleted, write),
      }),
    )
  }
}
