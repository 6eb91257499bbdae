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
import type { GraphContext, GraphTypes } from './graph.ts'
import { demandPermit, demandPerson } from './guard.ts'

/** The types as Pothos completes them. */
export type Types = PothosSchemaTypes.ExtendDefaultTypes<GraphTypes>
/** Root fields that change something are declared with `mutation` instead. */
type ReadingKind = Exclude<FieldKind, 'Mutation'>
type Builder<Parent, Kind extends FieldKind> = PothosSchemaTypes.RootFieldBuilder<Types, Parent, Kind>
type MaybePromise<T> = T | Promise<T>

interface Shape<Type extends TypeParam<Types>, Nullable extends FieldNullability<Type>, Args extends InputFieldMap> {
  readonly type: Type
  readonly nullable?: Nullable
  readonly args?: Args
  readonly description?: string
}

/**
 * A field that needs a right. `resolve` receives the {@link Permit} that proves it and says which rows it covers.
 * Without the right a root field answers FORBIDDEN; any other field is null with a FORBIDDEN error at its path.
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
  const { allow, on, resolve, ...shape } = options
  return pothosField(t, {
    ...shape,
    extensions: { access: { allow, on } },
    resolve: (parent: Parent, args: InputShapeFromFields<Args>, context: GraphContext, info: GraphQLResolveInfo) =>
      resolve(parent, args, context, demandPermit(context, allow, on), info),
  })
}

/** A field without a right of its own: for everybody who is signed in, or for everybody. It has to say which. */
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
  const { allow, resolve, ...shape } = options
  return pothosField(t, {
    ...shape,
    extensions: { access: { allow } },
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

/** Pothos' own signature cannot be met by generic options; the two functions above are what is type-checked. */
function pothosField<Parent, Kind extends FieldKind, Value>(
  t: Builder<Parent, Kind>,
  options: object,
): FieldRef<Types, Value, Kind> {
  return t.field(options as never) as unknown as FieldRef<Types, Value, Kind>
}
