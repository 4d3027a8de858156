/** Type parameters that have the name of a member, which API Extractor can not tell from it: see scripts/lib/pack/typeParameters.mjs. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { root } from '../repo/repository.ts';

const { renameClashes } = (await import(
  pathToFileURL(join(root, 'scripts', 'lib', 'pack', 'typeParameters.mjs')).href
)) as {
  readonly renameClashes: (path: string, text: string) => string;
};
const renamed = (text: string): string => renameClashes('x.d.ts', text);

describe('renameClashes', () => {
  it('renames a type parameter and what refers to it, and leaves members and other names', () => {
    expect(
      renamed('export interface A<action extends B = B> { readonly action: action; other(of: action[]): C<action>; }'),
    ).toBe('export interface A<TAction extends B = B> { readonly action: TAction; other(of: TAction[]): C<TAction>; }');
    expect(renamed('declare class E<kind extends K> extends F<kind> { kind: kind; data: Data[kind]; }')).toBe(
      'declare class E<TKind extends K> extends F<TKind> { kind: TKind; data: Data[TKind]; }',
    );
  });

  it('renames one and not the other', () => {
    expect(renamed('interface A<a, b> { a: b; c: a }')).toBe('interface A<TA, b> { a: b; c: TA }');
  });

  it('leaves a name that is declared anew inside', () => {
    expect(renamed('interface A<a> { a: a; f<a>(x: a): a; g: <a>(x: a) => a; h: a }')).toBe(
      'interface A<TA> { a: TA; f<a>(x: a): a; g: <a>(x: a) => a; h: TA }',
    );
  });

  it.each([
    'type A<a> = { a: a };',
    'interface A<a> { b: a }',
    'export declare function f<action>(action: action): action;',
    'interface A { a: a } type a = string;',
  ])('leaves %s', (text) => {
    expect(renamed(text)).toBe(text);
  });
});
