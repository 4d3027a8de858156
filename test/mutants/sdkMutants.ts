import type { Mutant } from './mutant.ts';

/** Of what light clients believe, the proofs of the codec, and what the SDK makes of them and of the steps of consensus. */

const sdk = (file: string): string => `packages/sdk/src/${file}`;
const codec = (file: string): string => `packages/codec/src/${file}`;
const blocks = [sdk('light/verifyBlock.test.ts')];
const trusts = [sdk('light/trust.test.ts')];
const records = [sdk('light/verifyRecord.test.ts')];
const clients = [sdk('light/createLightClient.test.ts')];
const proofs = [codec('proofs/recordProof.test.ts')];

const clientMutants: readonly Mutant[] = [
  {
    name: 'a trust that expires now has not expired',
    file: sdk('light/verification.ts'),
    text: 'expiredAtMs <= nowMs',
    planted: 'expiredAtMs < nowMs',
    tests: blocks,
  },
  {
    name: 'an expired trust is taken by default',
    file: sdk('light/verification.ts'),
    text: "expiredTrust = 'refuse'",
    planted: "expiredTrust = 'quorum'",
    tests: blocks,
  },
  {
    name: 'trust without a period ends at once',
    file: sdk('light/verification.ts'),
    text: 'trust.trustingPeriodMs ?? Number.POSITIVE_INFINITY',
    planted: 'trust.trustingPeriodMs ?? 0',
    tests: blocks,
  },
  {
    name: 'the trusted block proves itself',
    file: sdk('light/verifyBlock.ts'),
    text: 'height <= trusted.height',
    planted: 'height < trusted.height',
    tests: blocks,
  },
  {
    name: 'blocks on the way are not believed before the last',
    file: sdk('light/verifyBlock.ts'),
    text: 'trusted = verdict.trust;',
    planted: 'trusted = trusted;',
    tests: blocks,
  },
  {
    name: 'genesis of another hash is taken',
    file: sdk('light/trust.ts'),
    text: 'hash !== undefined && hash !== genesisHash',
    planted: 'hash !== undefined && hash === undefined',
    tests: trusts,
  },
  {
    name: 'the trusting period is none where the network has one',
    file: sdk('light/trust.ts'),
    text: 'trustingPeriodMs ?? chain.staking?.unbondingMs ?? null',
    planted: 'trustingPeriodMs ?? null',
    tests: blocks,
  },
  {
    name: 'a block of another chain is vouched for',
    file: sdk('light/trust.ts'),
    text: 'header.chainId !== network.chainId',
    planted: 'false',
    tests: trusts,
  },
  {
    name: 'a header may be of another height than the answer says',
    file: sdk('light/lightBlock.ts'),
    text: 'BigInt(height) !== commit.height',
    planted: 'false',
    tests: trusts,
  },
  {
    name: 'of any number of validators each is looked at',
    file: sdk('light/lightBlock.ts'),
    text: '> validatorsMax',
    planted: '> 100 * validatorsMax',
    tests: blocks,
  },
  {
    name: 'a kept trust of another format is read',
    file: sdk('light/chainTrust.ts'),
    text: 'trust.format !== 1',
    planted: 'false',
    tests: trusts,
  },
  {
    name: 'a kept trust without validators is one',
    file: sdk('light/chainTrust.ts'),
    text: 'trust.validators.length === 0',
    planted: 'false',
    tests: trusts,
  },
  {
    name: 'a proof of the block itself is of the one before',
    file: sdk('light/verifyRecord.ts'),
    text: 'const blockNumber = block.number - 1n;',
    planted: 'const blockNumber = block.number;',
    tests: records,
  },
  {
    name: 'a proof of any block is of the one before',
    file: sdk('light/verifyRecord.ts'),
    text: 'proof.blockNumber !== blockNumber',
    planted: 'false',
    tests: records,
  },
  {
    name: 'absent levels are proven where none is a record',
    file: sdk('light/verifyRecord.ts'),
    text: 'if (trust.levelProofs) return;',
    planted: 'return;',
    tests: records,
  },
  {
    name: 'a proof that does not lead there shows absence',
    file: sdk('light/verifyRecord.ts'),
    text: "shown.status === 'invalid'",
    planted: 'false',
    tests: records,
  },
  {
    name: 'a proof from before is new enough',
    file: sdk('light/createLightClient.ts'),
    text: 'proof.blockNumber >= minBlockNumber',
    planted: 'proof.blockNumber >= minBlockNumber - 1n',
    tests: clients,
  },
  {
    name: 'the newest block that was verified may be an older one',
    file: sdk('light/createLightClient.ts'),
    text: 'verified.number > newest.number',
    planted: 'verified.number < newest.number',
    tests: clients,
  },
  {
    name: 'a client that began with genesis goes back to it',
    file: sdk('light/createLightClient.ts'),
    text: 'newest !== null && newest.number < blockNumber ? newest.trust : start',
    planted: 'start',
    tests: clients,
  },
];

const proofMutants: readonly Mutant[] = [
  {
    name: 'a node may stand at the depth of the one above',
    file: codec('proofs/recordProof.ts'),
    text: 'depth <= above',
    planted: 'depth < above',
    tests: proofs,
  },
  {
    name: 'a depth may have more bits than are hashed',
    file: codec('proofs/recordProof.ts'),
    text: 'depth > depthMax',
    planted: 'depth > 2 * depthMax + 1',
    tests: proofs,
  },
  {
    name: 'a way that ends at something shows absence',
    file: codec('proofs/recordProof.ts'),
    text: "expected.every((byte) => byte === 0) ? 'absent' : null",
    planted: "'absent'",
    tests: records,
  },
  {
    name: 'a leaf of another key shows the record',
    file: codec('proofs/recordProof.ts'),
    text: "bytesEqual(record.key, key) ? 'present' : 'absent'",
    planted: "'present'",
    tests: records,
  },
  {
    name: 'a leaf need not have the hash that its parent names',
    file: codec('proofs/recordProof.ts'),
    text: '!bytesEqual(leafHash(record.key, record.value), expected)',
    planted: 'false',
    tests: records,
  },
  {
    name: 'a node need not have the hash that its parent names',
    file: codec('proofs/recordProof.ts'),
    text: '!bytesEqual(nodeHash(depth, children), expected)',
    planted: 'false',
    tests: records,
  },
  {
    name: 'the storage root of the account is its code',
    file: codec('proofs/ordersProof.ts'),
    text: 'fieldOf(account.value, 2)',
    planted: 'fieldOf(account.value, 3)',
    tests: records,
  },
  {
    name: 'a slot that is absent is a root of nothing',
    file: codec('proofs/ordersProof.ts'),
    text: "if (slot.status !== 'present') return invalid;",
    planted: "if (slot.status !== 'present') return { status: 'absent' };",
    tests: records,
  },
  {
    name: 'nodes behind the end of a proof are passed over',
    file: codec('proofs/trieProof.ts'),
    text: "if ('status' in step) return used === nodes.length ? step : invalid;",
    planted: "if ('status' in step) return step;",
    tests: records,
  },
];

export const sdkMutants: readonly Mutant[] = [...clientMutants, ...proofMutants];
