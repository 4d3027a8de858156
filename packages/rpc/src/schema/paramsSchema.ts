import { type TSchema, Type } from '@sinclair/typebox';
import type { MethodDefinition } from '../define.ts';
import { nullable } from './valueTypes.ts';

/** The positional parameters of a method as one tuple schema; optional ones may be null or left out from the end. */
export function paramsSchema({ params }: MethodDefinition): TSchema {
  const required = params.filter((parameter) => parameter.required).length;
  const items = params.map(({ type, required: isRequired }) => (isRequired ? type.schema : nullable(type.schema)));
  // Not Type.Tuple: that demands every element.
  return Type.Unsafe({
    type: 'array',
    ...(items.length > 0 ? { items, additionalItems: false } : {}),
    minItems: required,
    maxItems: items.length,
  });
}
