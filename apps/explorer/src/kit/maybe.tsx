import type { ComponentChildren } from 'preact';
import { Skeleton } from './layout.tsx';

type Maybe<value> = value | null | undefined;

/** What is shown of a value, or a quiet word where there is none. */
export const orNone = <value,>(
  value: Maybe<value>,
  none: ComponentChildren,
  show: (value: value) => ComponentChildren,
): ComponentChildren => (value == null ? <span class="faint">{none}</span> : show(value));

/** What is shown of a value, or its place while it is not known. @param width of the place, as CSS has it */
export const orPlace = <value,>(
  value: Maybe<value>,
  width: string,
  show: (value: value) => ComponentChildren,
): ComponentChildren => (value == null ? <Skeleton width={width} /> : show(value));

/** What follows from a value; null while it is not known. */
export const ofKnown = <value, result>(value: Maybe<value>, follow: (value: value) => result): result | null =>
  value == null ? null : follow(value);
