import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AnswerReader } from './answerReader.ts';

type Seen = readonly [status: number, body: string];

/** What a reader makes of bytes that come in pieces; each piece is written over behind the call. */
function readIn(pieces: readonly Buffer[]): Seen[] {
  const seen: Seen[] = [];
  const reader = new AnswerReader((status, body) => seen.push([status, body.toString('latin1')]));
  for (const piece of pieces) {
    const buffer = Buffer.from(piece);
    reader.take(buffer);
    buffer.fill(0x21);
  }
  return seen;
}

/** Cut at these places, in whatever order they are given. */
function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const inside = places.filter((place) => place > 0 && place < bytes.length);
  const ends = [...new Set([0, ...inside, bytes.length])].toSorted((a, b) => a - b);
  return ends.slice(1).map((end, index) => bytes.subarray(ends[index], end));
}

const withLength = (body: string, status = 200): string =>
  `HTTP/1.1 ${status} OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const inChunks = (parts: readonly string[], trailer = ''): string =>
  `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${parts
    .map((part) => `${part.length.toString(16)};x=1\r\n${part}\r\n`)
    .join('')}0\r\n${trailer}\r\n`;

const body = fc.oneof(
  fc.string({ unit: 'binary-ascii', maxLength: 60 }),
  // What looks like the beginning or the end of an answer.
  fc.constantFrom('', '\r\n\r\n', '0\r\n\r\n', 'HTTP/1.1 200 OK\r\n', 'Content-Length: 3\r\n\r\n', 'x'.repeat(5000)),
);
const answer = fc.oneof(
  fc.tuple(body, fc.constantFrom(200, 400, 413, 503)).map(([text, status]) => ({
    text: withLength(text, status),
    seen: [[status, text]] as Seen[],
  })),
  fc
    .array(
      body.filter((part) => part !== ''),
      { maxLength: 4 },
    )
    .map((parts) => ({
      text: inChunks(parts, parts.length % 2 === 0 ? '' : 'X-Sum: 1\r\n'),
      seen: [[200, parts.join('')]] as Seen[],
    })),
  fc.constant({ text: 'HTTP/1.1 204 No Content\r\n\r\n', seen: [[204, '']] as Seen[] }),
  fc.constant({ text: 'HTTP/1.1 100 Continue\r\n\r\n', seen: [] as Seen[] }),
);

describe('AnswerReader', () => {
  it('finds the same answers wherever the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(answer, { minLength: 1, maxLength: 8 }), fc.array(fc.nat(12_000)), (answers, places) => {
        const bytes = Buffer.from(answers.map(({ text }) => text).join(''), 'latin1');
        expect(readIn(cutAt(bytes, places))).toEqual(answers.flatMap(({ seen }) => seen));
      }),
      { numRuns: 500 },
    );
  });

  it('finds them byte by byte, too', () => {
    const bytes = Buffer.from(
      `${withLength('{"id":1}')}${inChunks(['ab', 'c'.repeat(300)])}${withLength('')}`,
      'latin1',
    );
    expect(readIn([...bytes].map((byte) => Buffer.of(byte)))).toEqual([
      [200, '{"id":1}'],
      [200, `ab${'c'.repeat(300)}`],
      [200, ''],
    ]);
  });

  it('takes an answer of many megabytes in pieces', () => {
    const text = 'z'.repeat(20_000_000);
    const bytes = Buffer.from(withLength(text) + withLength('end'), 'latin1');
    const places = Array.from({ length: bytes.length / 65_536 }, (_, index) => index * 65_536);
    expect(readIn(cutAt(bytes, places)).map(([, found]) => found.length)).toEqual([text.length, 3]);
  });

  it.each([
    ['no HTTP', 'SSH-2.0-x\r\n\r\n', /no status line/],
    ['no length', 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n', /neither a length nor chunks/],
    ['another coding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n', /transfer coding gzip/],
    ['a size that is none', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n', /size of a chunk/],
    ['a head without an end', `HTTP/1.1 200 OK\r\nX: ${'y'.repeat(70_000)}`, /head of more than/],
  ])('refuses %s', (_name, text, words) => {
    let thrown: unknown;
    try {
      readIn([Buffer.from(text, 'latin1')]);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: 'LOAD_ANSWER_MALFORMED', message: expect.stringMatching(words) });
  });
});
