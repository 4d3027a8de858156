import type { CamelCase } from '@prime/primitives';
import { type Static, type TBoolean, type TInteger, type TSchema, type TUnsafe, Type } from '@sinclair/typebox';
import type { ListenAddress } from '../listenAddress.ts';

/**
 * Building blocks of the configuration schema. A key is a TypeBox schema of the value as it stands in the file, with
 * default, unit and documentation as annotations; everything else (loading, messages, the reference page, the written
 * config.toml) is derived from these annotations.
 */

/** Says at run time how the file's form becomes the program's form. */
export const convertKey = 'x-convert';
/** Annotation with the unit of a value, or its form where that needs words; for people only. */
export const unitKey = 'x-unit';
/** On an array of tables: the field that no two of them may share. */
export const uniqueKey = 'x-unique';

/** Bytes. */
export const kibibyte = 1024;
/** Bytes. */
export const mebibyte = 1024 * kibibyte;
/** Milliseconds. */
export const minuteMs = 60_000;

/** What every key has: a sentence for the reference page and for config.toml. */
export interface KeyNotes {
  readonly description: string;
}

/** What a number of the configuration may be, both ends included, and what it counts. */
export interface NumberRange {
  readonly default: number;
  readonly from: number;
  readonly to: number;
  readonly unit: string;
}

/** Whole number with a unit, in a range. */
export const wholeNumber = ({ from, to, unit, ...rest }: NumberRange, description: string): TInteger =>
  Type.Integer({ ...rest, minimum: from, maximum: to, [unitKey]: unit, description });

/** For keys that share a range: makes each from its default and its description. */
export const wholeNumbers = (range: Omit<NumberRange, 'default'>) => (value: number, description: string) =>
  wholeNumber({ ...range, default: value }, description);

/** A schema whose value has a narrower type than TypeBox can compute. */
const typed = <T>(schema: TSchema): TUnsafe<T> => schema as unknown as TUnsafe<T>;

/** One of some words. */
export const choice = <const Words extends readonly string[]>(
  words: Words,
  notes: KeyNotes & { readonly default: Words[number] },
) => typed<Words[number]>(Type.String({ enum: words, ...notes, [unitKey]: words.join(' | ') }));

/** Yes or no. */
export const flag = (notes: KeyNotes & { readonly default: boolean }): TBoolean =>
  Type.Boolean({ ...notes, [unitKey]: 'true | false' });

/** `host:port`, which can not be empty. */
export const requiredListenAddress = (notes: KeyNotes & { readonly default: string }) =>
  typed<ListenAddress>(Type.String({ ...notes, minLength: 1, [unitKey]: 'host:port', [convertKey]: 'listen' }));

/** `host:port`; empty is off. Becomes `null` when off. */
export const listenAddress = (notes: KeyNotes & { readonly default: string }) =>
  typed<ListenAddress | null>(Type.String({ ...notes, [unitKey]: 'host:port, empty is off', [convertKey]: 'listen' }));

/** Address of a site; empty is none. Becomes `null` when empty. */
export const webAddress = (notes: KeyNotes & { readonly default: string }) =>
  typed<string | null>(
    Type.String({ ...notes, maxLength: 2_048, [unitKey]: 'http or https address, empty is none', [convertKey]: 'web' }),
  );

type Camel<T> = T extends ListenAddress | null
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Camel<Item>[]
    : T extends object
      ? { readonly [Key in keyof T as CamelCase<Key & string>]: Camel<T[Key]> }
      : T;

/** What a schema yields to the program: camelCase keys, converted values, read-only. */
export type Loaded<Schema extends TSchema> = Camel<Static<Schema>>;
