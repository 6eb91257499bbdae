import { TEMPLATE_PLACEHOLDERS } from '@pc/domain/question/answer-template.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readId } from '@pc/platform/graphql/list-arguments.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { type AnswerTemplate, addTemplate, changeTemplate, deleteTemplate } from './save-answer-template.ts'

const ON = 'insight:answer_template.' as const

/** Templates with which staff begin answers. */
export function addAnswerTemplateFields(graph: Graph, { database }: { readonly database: Database }): void {
  const Template = graph.objectRef<AnswerTemplate>('AnswerTemplate').implement({
    on: ON,
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      name: t.exposeString('name'),
      body: t.exposeString('body', {
        description: `Plain text with ${TEMPLATE_PLACEHOLDERS.map(name => `{${name}}`).join(' ')}`,
      }),
      revision: t.exposeInt('revision'),
    }),
  })
  graph.queryField('answerTemplates', t =>
    field(t, {
      type: [Template],
      allow: 'read:list',
      on: ON,
      resolve: (_parent, _args, _context, permit) =>
        database.inScope(
          permit.scope,
          tx => tx.selectFrom('answerTemplates').select(['id', 'name', 'body', 'revision']).orderBy('name').execute(),
          { readOnly: true },
        ),
    }),
  )
  const Input = graph.inputType('AnswerTemplateInput', {
    fields: t => ({
      id: t.id(),
      expectedRevision: t.int({ description: 'The revision that the form began with.' }),
      name: t.string({ required: true }),
      body: t.string({ required: true }),
    }),
  })
  graph.mutationField('saveAnswerTemplate', t =>
    mutation(t, {
      type: Template,
      args: { input: t.arg({ type: Input, required: true }) },
      allow: 'write:update',
      on: ON,
      description: 'Without id: a new one.',
      database,
      run: ({ input: { id, expectedRevision, name, body } }, write) =>
        id
          ? changeTemplate(readId(id, ['input', 'id']), { name, body }, expectedRevision, write)
          : addTemplate({ name, body }, write),
    }),
  )
  graph.mutationField('deleteAnswerTemplate', t =>
    mutation(t, {
      type: 'ID',
      args: { id: t.arg.id({ required: true }) },
      allow: 'write:delete',
      on: ON,
      database,
      run: ({ id }, write) => deleteTemplate(readId(id, ['id']), write),
    }),
  )
}
