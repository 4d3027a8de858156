import { expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { createCryptoProvider } from '@prime/crypto';
import fc from 'fast-check';
import { type BareMessage, blockHash, createMessageReader, encodeMessage, signedDigest } from './messages.ts';
import { runBareNetwork } from './network.ts';
import { BareValidator } from './validator.ts';

const message: fc.Arbitrary<BareMessage> = fc.record({
  kind: fc.constantFrom('proposal', 'prevote', 'precommit'),
  height: fc.nat(),
  from: fc.nat({ max: 255 }),
  timestampMs: fc.double({ min: 0, max: 1e13, noNaN: true }),
  hash: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  signature: fc.uint8Array({ minLength: 65, maxLength: 65 }),
  body: fc.uint8Array({ maxLength: 2000 }),
});
const plain = (each: BareMessage): unknown => ({
  ...each,
  hash: Buffer.from(each.hash).toString('hex'),
  signature: Buffer.from(each.signature).toString('hex'),
  body: Buffer.from(each.body).toString('hex'),
});

it('messages come out of a stream as they went in, however it is cut', () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 5 }), fc.integer({ min: 1, max: 500 }), (messages, pieceBytes) => {
      const stream = Buffer.concat(messages.map(encodeMessage));
      const read: BareMessage[] = [];
      const reader = createMessageReader((each) => read.push(each));
      for (let start = 0; start < stream.length; start += pieceBytes)
        reader(Buffer.from(stream.subarray(start, start + pieceBytes)));
      expect(read.map(plain)).toEqual(messages.map(plain));
    }),
  );
});

it('a vote with a signature of somebody else counts for nothing', async () => {
  const provider = await createCryptoProvider('noble');
  const keys = [1, 2, 3, 4].map((byte) => new Uint8Array(32).fill(byte));
  const digest = new Uint8Array(32).fill(9);
  const publicKeys = keys.map((key) => provider.recover(digest, provider.sign(digest, key))!);
  const sent: BareMessage[] = [];
  const committed: number[] = [];
  const read = createMessageReader((each) => sent.push(each));
  const validator = new BareValidator({
    self: 0,
    privateKey: keys[0]!,
    publicKeys,
    bodyBytes: 0,
    provider,
    record: () => undefined,
    broadcast: (bytes) => read(Buffer.from(bytes)),
    onCommit: (height) => committed.push(height),
  });
  const body = randomBytes(10);
  const hash = blockHash(new Uint8Array(32), 1, 5, body);
  const say = (kind: BareMessage['kind'], from: number, signer = from): void => {
    const signature = provider.sign(signedDigest(kind, 1, hash), keys[signer]!);
    const isProposal = kind === 'proposal';
    validator.onMessage({
      kind,
      height: 1,
      from,
      timestampMs: isProposal ? 5 : 0,
      hash,
      signature,
      body: isProposal ? body : new Uint8Array(0),
    });
  };
  validator.start();
  // A vote before the proposal waits for it.
  say('prevote', 1);
  expect(sent).toEqual([]);
  say('proposal', 1);
  expect(sent.map(({ kind }) => kind)).toEqual(['prevote']);
  say('prevote', 2, 3);
  expect(sent).toHaveLength(1);
  say('prevote', 2);
  expect(sent.map(({ kind }) => kind)).toEqual(['prevote', 'precommit']);
  say('precommit', 1);
  expect(committed).toEqual([]);
  say('precommit', 3);
  expect(committed).toEqual([1]);
});

it('four processes decide blocks', async () => {
  const { intervals, cpuMs } = await runBareNetwork({ validators: 4, blocks: 20, warmup: 5, bodyBytes: 100 });
  expect(intervals).toHaveLength(20);
  expect(Math.min(...intervals)).toBeGreaterThan(0);
  expect(cpuMs).toBeGreaterThan(0);
}, 60_000);
