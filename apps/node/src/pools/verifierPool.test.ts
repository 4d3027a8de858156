import { afterAll, expect, it } from '@jest/globals';
import { createCryptoProvider, keccak256 } from '@prime/crypto';
import { bytesToHex, utf8ToBytes } from '@prime/primitives';
import { unsignedTransaction } from '@prime/codec';
import { createSignatureChecks } from './signatureChecks.ts';
import { createVerifierPool } from './verifierPool.ts';

const context = { chainId: 7919, gasLimit: 30_000_000n };
const provider = await createCryptoProvider();
const here = createSignatureChecks(context, provider);
const pool = createVerifierPool({ threads: 1, ...context });
const key = keccak256(utf8ToBytes('somebody'));

const transfer = (nonce: number): Uint8Array => {
  const unsigned = unsignedTransaction(context.chainId, nonce, {
    to: null,
    value: BigInt(nonce) << 100n,
    data: new Uint8Array(1),
    gas: 100_000n,
    accessList: [],
    authorizationList: [],
    fees: { kind: 'dynamic', maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 0n },
  });
  return unsigned.encode(provider.sign(keccak256(unsigned.message), key));
};

afterAll(() => pool.close());

it('threads of the pool give the verdicts of this one, good and bad ones in the order of the bytes', async () => {
  const good = Array.from({ length: 5 }, (_, nonce) => transfer(nonce));
  const raws = [
    Uint8Array.of(1),
    good[0]!,
    good[1]!,
    new Uint8Array(0),
    good[2]!,
    good[3]!,
    good[4]!,
    Uint8Array.of(0xc0),
  ];
  const verdicts = await pool.transactions(raws);
  expect(verdicts).toEqual(here.transactions(raws));
  expect(verdicts.filter((verdict) => 'failure' in verdict)).toHaveLength(3);
  // The bytes are those that were asked about, and were not taken away.
  for (const [index, verdict] of verdicts.entries()) if ('raw' in verdict) expect(verdict.raw).toBe(raws[index]);
  expect(bytesToHex(good[4]!)).toBe(bytesToHex(transfer(4)));
  expect(await pool.transactions([])).toEqual([]);
  expect(await pool.actions([Uint8Array.of(0x50)])).toEqual(here.actions([Uint8Array.of(0x50)]));
});
