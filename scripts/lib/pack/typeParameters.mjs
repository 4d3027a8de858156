/**
 * TypeScript keeps type parameters and members of an interface or class in one table, so that `interface A<action> { action: action }` is one symbol,
 * which API Extractor passes over and then does not find. viem names type parameters so, and the SDK does. Here they get another name, in memory: `TAction`.
 * A name of a type parameter is nothing to callers.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
/** The one of API Extractor: the compiler of this repository has no interface for programs. */
export const ts = createRequire(require.resolve('@microsoft/api-extractor/package.json'))('typescript');

const isHolder = (node) => ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node);
const nameOf = (member) => (member.name !== undefined && ts.isIdentifier(member.name) ? member.name.text : null);
const renamed = (name) => `T${name[0].toUpperCase()}${name.slice(1)}`;

/** Places of the identifiers that mean a type parameter of a declaration: its own and all references, not where the name is declared anew. */
function placesOf(holder, name) {
  const places = [];
  const visit = (node) => {
    const isShadow = node !== holder && node.typeParameters?.some((parameter) => parameter.name.text === name);
    if (isShadow) return;
    const isReference = ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName) && node.typeName.text === name;
    if (isReference) places.push(node.typeName);
    if (ts.isTypeParameterDeclaration(node) && node.name.text === name) places.push(node.name);
    ts.forEachChild(node, visit);
  };
  visit(holder);
  return places;
}

/** @returns the text with type parameters renamed that have the name of a member of their interface or class */
export function renameClashes(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const edits = [];
  const visit = (node) => {
    if (isHolder(node)) {
      const members = new Set(node.members.map(nameOf));
      for (const { name } of node.typeParameters ?? []) {
        if (!members.has(name.text)) continue;
        for (const place of placesOf(node, name.text)) edits.push(place);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return edits
    .toSorted((a, b) => b.getStart() - a.getStart())
    .reduce((before, place) => before.slice(0, place.getStart()) + renamed(place.text) + before.slice(place.end), text);
}
