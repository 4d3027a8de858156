import { describe, expect, it } from '@jest/globals';
import type { LoadError } from '../../errors.ts';
import { textLines } from './textLines.ts';

async function* pieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function linesOf(text: string, size: number, bytesMax?: number): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of textLines(pieces(text, size), bytesMax)) lines.push(line);
  return lines;
}

describe('textLines', () => {
  it('gives the same lines wherever the file is cut into pieces, also within a letter of more bytes', async () => {
    const text = 'a\n\nübermäßig €\nlast\n';
    for (let size = 1; size <= Buffer.byteLength(text); size++)
      expect([size, await linesOf(text, size)]).toEqual([size, ['a', '', 'übermäßig €', 'last']]);
  });

  it('gives a last line without an end, and none of an empty file', async () => {
    expect(await linesOf('a\nb', 2)).toEqual(['a', 'b']);
    expect(await linesOf('', 1)).toEqual([]);
  });

  it('refuses a line that is longer than the limit, with its number, and takes one of the limit', async () => {
    expect(await linesOf('a\n12345\n', 3, 5)).toEqual(['a', '12345']);
    const refused = (await linesOf('a\n123456\n', 3, 5).catch((error: LoadError) => error)) as LoadError;
    expect(refused.detail).toEqual({ code: 'LOAD_FLOW_LINE', line: 2, reason: 'longer than 5 bytes' });
  });
});
