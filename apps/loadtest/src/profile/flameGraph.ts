import { escapeHtml } from '@prime/primitives';
import type { Stacks } from './files.ts';
import { kindOf, type Kind } from './kinds.ts';

const width = 1_600;
const rowHeight = 17;
/** Narrower boxes are left out, px. */
const narrowest = 0.4;
/** px of a letter. */
const letterWidth = 6.6;

const hues: Readonly<Record<Kind, number>> = {
  GC: 0,
  malloc: 20,
  compiler: 290,
  kernel: 45,
  crypto: 60,
  EVM: 130,
  trie: 165,
  disk: 195,
  codec: 220,
  bus: 245,
  consensus: 265,
  'order book': 320,
  gateway: 340,
  other: 90,
};

interface Box {
  readonly name: string;
  readonly kind: Kind;
  weight: number;
  readonly children: Map<string, Box>;
}

/** A flame graph as one SVG that needs nothing else: widths are shares of processor time, colours are kinds, a box tells its frame and share under the mouse. */
export function flameGraph({ thread, stacks }: Stacks): string {
  const root: Box = { name: thread, kind: 'other', weight: 0, children: new Map() };
  let deepest = 1;
  for (const { frames, weight } of stacks) {
    root.weight += weight;
    let at = root;
    deepest = Math.max(deepest, frames.length + 1);
    for (let index = frames.length - 1; index >= 0; index--) {
      const { name, file } = frames[index]!;
      const key = `${name} ${file}`;
      const known = at.children.get(key);
      const box = known ?? {
        name: `${name} ${shortened(file)}`.trim(),
        kind: kindOf(frames.slice(index)),
        weight: 0,
        children: new Map(),
      };
      if (known === undefined) at.children.set(key, box);
      box.weight += weight;
      at = box;
    }
  }
  const boxes: string[] = [];
  const height = (deepest + 1) * rowHeight;
  const draw = (box: Box, left: number, depth: number): void => {
    const boxWidth = (box.weight / root.weight) * width;
    if (boxWidth < narrowest) return;
    const top = height - (depth + 1) * rowHeight;
    const letters = Math.floor((boxWidth - 4) / letterWidth);
    const label =
      letters < 3
        ? ''
        : `<text x="${(left + 2).toFixed(1)}" y="${top + 12}">${escapeHtml(box.name.slice(0, letters))}</text>`;
    const share = ((100 * box.weight) / root.weight).toFixed(2);
    boxes.push(
      `<g><title>${escapeHtml(`${box.name}: ${share} %, ${box.kind}`)}</title><rect x="${left.toFixed(1)}" y="${top}" ` +
        `width="${boxWidth.toFixed(1)}" height="${rowHeight - 1}" fill="hsl(${hues[box.kind]} 65% 72%)"/>${label}</g>`,
    );
    let next = left;
    for (const child of [...box.children.values()].toSorted((a, b) => b.weight - a.weight)) {
      draw(child, next, depth + 1);
      next += (child.weight / root.weight) * width;
    }
  };
  if (root.weight > 0) draw(root, 0, 0);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="monospace" font-size="11">` +
    `<rect width="100%" height="100%" fill="white"/>${boxes.join('\n')}</svg>\n`
  );
}

/** The last parts of a path. */
const shortened = (file: string): string => file.split('/').slice(-3).join('/');
