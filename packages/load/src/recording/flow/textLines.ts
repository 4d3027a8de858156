import { LoadError } from '../../errors.ts';

/** Longest line, bytes: an order that meets 10 000 others takes about one million. */
const lineBytesMax = 64 * 1024 * 1024;

const lineFeed = 0x0a;

/**
 * Lines of a file that is read in pieces, without their ends; at most one line is in memory. An end that is missing behind the last line is no error here.
 *
 * @throws LoadError `LOAD_FLOW_LINE` when a line is longer than {@link lineBytesMax}
 */
export async function* textLines(pieces: AsyncIterable<Uint8Array>, bytesMax = lineBytesMax): AsyncGenerator<string> {
  let parts: Uint8Array[] = [];
  let [bytes, line] = [0, 1];
  const text = (): string => {
    const joined = Buffer.concat(parts, bytes).toString('utf8');
    parts = [];
    bytes = 0;
    line++;
    return joined;
  };
  for await (const piece of pieces) {
    let from = 0;
    for (;;) {
      const end = piece.indexOf(lineFeed, from);
      const part = piece.subarray(from, end < 0 ? piece.length : end);
      bytes += part.length;
      if (bytes > bytesMax) {
        const reason = `longer than ${bytesMax} bytes`;
        throw new LoadError(`line ${line}: ${reason}`, { code: 'LOAD_FLOW_LINE', line, reason });
      }
      if (part.length > 0) parts.push(part);
      if (end < 0) break;
      yield text();
      from = end + 1;
    }
  }
  if (bytes > 0) yield text();
}
