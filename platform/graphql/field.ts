import type { GranularAction } from '@pc/domain/access/action.ts'
import type { Permit } from '@pc/domain/access/decide.ts'
import type { ResourceName } from '@pc/domain/access/resource-name.ts'
import type { Viewer } from '@pc/domain/access/viewer-scope.ts'
import type {
  FieldKind,
  FieldNullability,
  FieldRef,
  InputFieldMap,
  InputShapeFromFields,
  ShapeFromTypeParam,
  TypeParam,
} from '@pothos/core'
import type { GraphQLResolveInfo } from 'graphql'
import type { AccessRule } from './access-rule.ts'
import type { GraphContext, GraphTypes } from './graph.ts'
import { demandPermit, demandPerson, demandRule } from './guard.ts'
import { MAX_PAGE_SIZE } from './list-arguments.ts'
import { refuse } from './refusal-error.ts'

/** The types as Pothos completes them. */
export type Types = PothosSchemaTypes.ExtendDefaultTypes<GraphTypes>
/** Every root kind except Mutation: fields that change something are declared with `mutation` instead. */
type ReadingKind = Exclude<FieldKind, 'Mutation'>
type Builder<Parent, Kind extends FieldKind> = PothosSchemaTypes.RootFieldBuilder<Types, Parent, Kind>
type MaybePromise<T> = T | Promise<T>

interface Shape<Type extends TypeParam<Types>, Nullable extends FieldNullability<Type>, Args extends InputFieldMap> {
  readonly type: Type
  readonly nullable?: Nullable
  readonly args?: Args
  readonly description?: string
  /** For a root field that returns a list: the most rows it returns. Default {@link MAX_PAGE_SIZE}. */
  readonly maxRows?: number
  /**
   * The field's own cost for the cost limit, in fields times rows, where it reads far more than it returns. Default: 1.
   */
  readonly ownCost?: number
}

/**
 * A field that needs a permission. `resolve` receives the {@link Permit}, which proves it and says which rows it
 * covers. Without it a root field answers FORBIDDEN; any other field is null with a FORBIDDEN error at its path.
 */
export function field<
  Parent,
  Kind extends ReadingKind,
  Type extends TypeParam<Types>,
  Allow extends GranularAction,
  On extends ResourceName,
  Nullable extends FieldNullability<Type> = false,
  Args extends InputFieldMap = Record<never, never>,
>(
  t: Builder<Parent, Kind>,
  options: Shape<Type, Nullable, Args> & {
    readonly allow: Allow
    readonly on: On
    readonly resolve: (
      parent: Parent,
      args: InputShapeFromFields<Args>,
      context: GraphContext,
      permit: Permit<Allow, On>,
      info: GraphQLResolveInfo,
    ) => MaybePromise<ShapeFromTypeParam<Types, Type, Nullable>>
  },
): FieldRef<Types, ShapeFromTypeParam<Types, Type, Nullable>, Kind> {
  const { allow, on, resolve, maxRows, ownCost, ...shape } = options
  return pothosField(t, {
    ...shape,
    extensions: { access: { allow, on }, maxRows, ownCost },
    resolve: (parent: Parent, args: InputShapeFromFields<Args>, context: GraphContext, info: GraphQLResolveInfo) =>
      resolve(parent, args, context, demandPermit(context, allow, on), info),
  })
}

/** A field without a permission of its own: the rule says whether everybody or every signed-in person may read it. */
export function openField<
  Parent,
  Kind extends ReadingKind,
  Type extends TypeParam<Types>,
  Allow extends 'signed-in' | 'public',
  Nullable extends FieldNullability<Type> = false,
  Args extends InputFieldMap = Record<never, never>,
>(
  t: Builder<Parent, Kind>,
  options: Shape<Type, Nullable, Args> & {
    readonly allow: Allow
    readonly resolve: (
      parent: Parent,
      args: InputShapeFromFields<Args>,
      context: GraphContext,
      viewer: Allow extends 'signed-in' ? Viewer : Viewer | null,
    ) => MaybePromise<ShapeFromTypeParam<Types, Type, Nullable>>
  },
): FieldRef<Types, ShapeFromTypeParam<Types, Type, Nullable>, Kind> {
  const { allow, resolve, maxRows, ...shape } = options
  return pothosField(t, {
    ...shape,
    extensions: { access: { allow }, maxRows },
    resolve: (parent: Parent, args: InputShapeFromFields<Args>, context: GraphContext) =>
      resolve(
        parent,
        args,
        context,
        (allow === 'public' ? context.viewer : demandPerson(context)) as Allow extends 'signed-in'
          ? Viewer
          : Viewer | null,
      ),
  })
}

interface Options {
  readonly type: unknown
  readonly args?: Readonly<Record<string, unknown>>
  readonly extensions: {
    readonly access: AccessRule
    readonly maxRows?: number | undefined
    readonly ownCost?: number | undefined
  }
  readonly resolve: (parent: never, args: never, context: GraphContext, info: GraphQLResolveInfo) => unknown
}

/** Pothos' own signature does not accept generic options; the two functions above are the type-checked ones. */
function pothosField<Parent, Kind extends FieldKind, Value>(
  t: Builder<Parent, Kind>,
  options: Options,
): FieldRef<Types, Value, Kind> {
  const isOpenList = t.kind === 'Query' && Array.isArray(options.type) && options.args?.limit === undefined
  return t.field((isOpenList ? limitedList(t, options) : options) as never) as unknown as FieldRef<Types, Value, Kind>
}

/**
 * Adds `limit` and `offset` to a root list that has none of its own. A result with more rows than `maxRows` is refused
 * rather than cut, unless the caller gives a limit.
 */
function limitedList<Parent, Kind extends FieldKind>(t: Builder<Parent, Kind>, options: Options): object {
  const { access, maxRows = MAX_PAGE_SIZE } = options.extensions
  const { resolve } = options
  return {
    ...options,
    extensions: { ...options.extensions, maxRows },
    args: {
      ...options.args,
      limit: t.arg.int({ description: `How many rows at most. Default: all of them, up to ${maxRows}.` }),
      offset: t.arg.int({ description: 'How many rows are passed over. Default: none.' }),
    },
    async resolve(parent: never, given: Record<string, unknown>, context: GraphContext, info: GraphQLResolveInfo) {
      const { limit, offset, ...args } = given as { limit?: number | null; offset?: number | null }
      const from = offset ?? 0
      demandRule(context, access)
      if (limit !== null && limit !== undefined && (limit < 1 || limit > maxRows))
        refuse('list/limit-out-of-range', ['limit'], { max: maxRows })
      if (from < 0) refuse('list/offset-out-of-range', ['offset'])
      const rows = (await resolve(parent, args as never, context, info)) as readonly unknown[] | null
      if (rows === null) return null
      const isWhole = limit === null || limit === undefined
      if (isWhole && rows.length - from > maxRows) refuse('list/too-many-rows', ['limit'], { max: maxRows })
      return rows.slice(from, from + (limit ?? maxRows))
    },
  }
}
